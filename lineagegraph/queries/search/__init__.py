"""Find and search by name, and show results in a few lines."""
