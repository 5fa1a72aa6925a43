// A run whose children must still move to the jobs that follow from its own job.
MATCH (r:Run) WHERE r.unsettled_after IS NOT NULL
RETURN r.id AS id, r.unsettled_after AS after
LIMIT 1
