// The newest events of runs in order of age, with their reports about written datasets.
UNWIND $ids AS id
MATCH (r:Run {id: id})
CALL (r) {
  MATCH (e:Event)-[:REPORTS]->(r)
  WITH e
  ORDER BY e.event_time DESC, e.id DESC
  LIMIT $limit
  RETURN e
}
RETURN id AS run, e.body AS body
ORDER BY run, e.event_time, e.id
