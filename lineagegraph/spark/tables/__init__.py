"""Tables as folders that are switched from one version to the next, and known by name."""
