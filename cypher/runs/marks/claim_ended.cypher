// Lock a run that may be marked, and return its facts with the time.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
RETURN
  r.id AS id,
  r.namespace AS namespace,
  r.name AS name,
  r.facts AS facts,
  r.launch IS NOT NULL AS is_open,
  toString(coalesce($now, datetime.realtime())) AS now
