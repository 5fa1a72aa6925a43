"""Programs for building and checking the project."""
