"""Find a job, dataset, column or run by the text that a person typed."""
