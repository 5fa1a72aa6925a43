"""Code of definitions: hashes, archives, and functions kept by value."""
