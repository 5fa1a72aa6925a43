"""Keys, names and their canonical spelling."""
