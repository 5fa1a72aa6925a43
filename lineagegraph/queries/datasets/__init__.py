"""Read models of datasets, now and at a past time."""
