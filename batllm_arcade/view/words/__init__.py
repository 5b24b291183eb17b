"""What a play says, in plain words: from the reason a tactician gives, or from what a model thought."""
