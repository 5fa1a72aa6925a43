// A run and its descendants that have not ended, deepest first.
MATCH path = (top:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)
WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
  AND (r.id = $id OR r.started_at IS NOT NULL OR r.state = 'WAITING')
WITH r, max(length(path)) AS depth
RETURN r.id AS id, r.namespace AS namespace, r.name AS name, r.kind AS kind,
       r.state AS state,
       datetime.realtime() AS now
ORDER BY depth DESC, id
