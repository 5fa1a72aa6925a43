"""Delta tables: the commands that write them, and their commits."""
