"""Jobs of RDDs: what they read and write."""
