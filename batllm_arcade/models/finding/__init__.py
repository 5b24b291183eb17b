"""Where a model server is and which model it has: addresses, lists, quick looks, trying a model out."""
