"""Read models of jobs, pages of lists, metrics and statistics."""
