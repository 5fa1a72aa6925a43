"""Read models of lineage: jobs, datasets, columns and runs."""
