// The jobs and datasets upstream, with their distance in edges; a job includes its descendants.
CALL () {
  MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(start:Job)
  WHERE start.hidden_at IS NULL
  RETURN start
  UNION
  MATCH (start:Dataset {key: $key})
  RETURN start
}
MATCH path = (n)-[flows:FEEDS|PRODUCES*0..]->(start)
WHERE all(flow IN flows WHERE startNode(flow).hidden_at IS NULL
  AND ($at IS NULL OR flow.first_seen <= $at))
WITH n, min(length(path)) AS distance
WHERE distance <= $depth
WITH n, distance
ORDER BY distance, n.key
LIMIT $limit
RETURN collect({
  key: n.key,
  is_job: n:Job,
  distance: distance
}) AS rows
