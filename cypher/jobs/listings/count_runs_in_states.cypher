// Count the runs of a job that are in some states.
MATCH (r:Run)
WHERE r.job_key = $key AND r.created_at IS NOT NULL AND coalesce(r.state, 'PENDING') IN $states
RETURN count(*) AS total
