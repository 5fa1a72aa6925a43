// Runs that wait for a worker, the one that waits longest first.
MATCH (r:Run {launch: 'QUEUED'})
RETURN r.id AS id
ORDER BY r.queued_at, id
LIMIT $most
