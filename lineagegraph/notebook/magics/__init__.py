"""`%load_ext lineagegraph`: the graph by a few words at the start of a cell or line."""
