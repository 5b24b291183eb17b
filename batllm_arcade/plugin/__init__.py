"""Plugins: the hooks, finding and loading plugins, whether a brain could play now."""
