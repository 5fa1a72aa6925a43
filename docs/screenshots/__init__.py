"""The pictures of the documentation, taken by a command."""
