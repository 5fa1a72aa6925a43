// The jobs and datasets that data went to, with their distance in edges; a job stands for all below it.
CALL () {
  MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(start:Job)
  RETURN start
  UNION
  MATCH (start:Dataset {key: $key})
  RETURN start
}
MATCH path = (start)-[:FEEDS|PRODUCES*0..]->(n:Job|Dataset)
WITH n, min(length(path)) AS distance
WHERE distance <= $depth
RETURN n.key AS key, n:Job AS is_job, distance
ORDER BY distance, key
LIMIT $limit
