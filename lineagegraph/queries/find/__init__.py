"""Find a job, dataset, column or run by a typed text."""
