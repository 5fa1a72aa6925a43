// The current columns of a dataset, or of the outputs of a job and below; maybe removed ones with tags too.
CALL () {
  MATCH (:Dataset {key: $key})-[:SAME_AS*0..1]->(d:Dataset)
  RETURN d
  UNION
  MATCH (:Job {key: $key})-[:PARENT_OF*0..]->(j:Job)-[:PRODUCES]->(d:Dataset)
  WHERE j.hidden_at IS NULL
  RETURN d
}
MATCH (d)-[:HAS_FIELD]->(f:Field)
WHERE d.hidden_at IS NULL AND (
    coalesce(f.current, true) OR ($with_tagged AND EXISTS { (f)-[:TAGGED]->(:Tag) })
  )
RETURN DISTINCT f.key AS key, f.name AS name, d.key AS dataset
ORDER BY dataset, key
