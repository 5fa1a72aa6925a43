// Events of a run in a time span, newest first: JSON with the hashes of facets.
MATCH (e:Event)-[:REPORTS]->(:Run {id: $run})
WHERE e.event_time >= datetime(coalesce($after, '0001-01-01T00:00:00Z'))
  AND e.event_time < datetime(coalesce($before, '9999-12-31T23:59:59.999999999Z'))
RETURN e.body AS body
ORDER BY e.event_time DESC, e.id
SKIP $offset
LIMIT $limit
