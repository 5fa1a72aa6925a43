// A run whose children are still to be moved to the jobs that follow from its own.
MATCH (r:Run) WHERE r.unsettled_after IS NOT NULL
RETURN r.id AS id, r.unsettled_after AS after
LIMIT 1
