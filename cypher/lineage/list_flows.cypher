// The flow of data into some jobs and out of them, in its direction.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (d:Dataset)-[e:FEEDS]->(j)
  RETURN d.key AS source, j.key AS target, e
  UNION ALL
  MATCH (j)-[e:PRODUCES]->(d:Dataset)
  RETURN j.key AS source, d.key AS target, e
}
WITH source, target, e
WHERE $at IS NULL OR e.first_seen <= $at
RETURN source, target, e.first_seen AS first_seen, e.last_seen AS last_seen, e.runs AS runs
ORDER BY source, target
