"""Read models of datasets, now and at a time."""
