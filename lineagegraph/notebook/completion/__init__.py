"""Names of the graph where somebody types one."""
