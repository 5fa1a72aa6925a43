// The jobs and datasets downstream, with their distance in edges; a job includes its descendants.
CALL () {
  MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(start:Job)
  WHERE start.hidden_at IS NULL
  RETURN start
  UNION
  MATCH (start:Dataset {key: $key})
  RETURN start
}
// A pattern takes no parameter for its length: 1000000 stands for a small $depth.
MATCH path = (start)-[flows:FEEDS|PRODUCES|SAME_AS*0..1000000]->(n)
WHERE all(flow IN flows WHERE endNode(flow).hidden_at IS NULL
  AND ($at IS NULL OR coalesce(flow.first_seen, $at) <= $at))
WITH n, min(length(path)) AS distance
WHERE distance <= $depth
// The datasets of a set are one node. The steps between them are counted here, and are none.
WITH coalesce(n.same_as, n.key) AS key, n:Job AS is_job, n.same_as IS NOT NULL AS is_same,
     min(distance) AS distance
ORDER BY distance, key
LIMIT $limit
RETURN collect([key, is_job, distance, is_same]) AS rows
