// Some events of runs that others than imports sent, received after a time, from an id on.
UNWIND $run_ids AS id
MATCH (e:Event)-[:REPORTS]->(:Run {id: id})
WHERE e.imported IS NULL AND e.received_at >= datetime($after) AND e.id > $after_id
WITH DISTINCT e
ORDER BY e.id
LIMIT $limit
RETURN e.id AS id,
       toString(e.received_at) AS received_at,
       e.author AS author,
       e.claims AS claims,
       e.body AS body
ORDER BY id
