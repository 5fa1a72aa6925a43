// Runs that wait for a worker, longest wait first.
MATCH (r:Run {launch: 'QUEUED'}) WHERE r.queued_at <= coalesce($now, datetime.realtime())
RETURN r.id AS id
ORDER BY r.queued_at, id
LIMIT $most
