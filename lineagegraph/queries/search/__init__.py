"""Find and search things by name, and show them in a few lines."""
