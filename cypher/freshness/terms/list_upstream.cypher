// The upstream of jobs and datasets: dependencies and sources; a Spark write counts for its task.
UNWIND $keys AS key
CALL (key) {
  MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(d:Dataset)
  WITH DISTINCT d
  MATCH (w:Job)-[:PRODUCES]->(d)
  CALL (w) {
    MATCH path = (u:Job)-[:PARENT_OF*0..]->(w)
    RETURN u
    ORDER BY CASE
      WHEN EXISTS { (u)-[:HAS_TERMS]->(:Terms) } THEN 0
      WHEN u.kind IN ['application', 'action'] THEN 2
      ELSE 1
    END, length(path)
    LIMIT 1
  }
  RETURN u
  UNION
  MATCH (j:Job {key: key})-[:PARENT_OF*0..]->(below:Job)
  WITH DISTINCT below
  MATCH (below)<-[:FEEDS]-(:Dataset)-[:SAME_AS*0..1]->(u:Dataset)
  RETURN u
  UNION
  MATCH (j:Job {key: key})-[:PARENT_OF*0..]->(below:Job)
  WITH DISTINCT below
  MATCH (below)-[:DEPENDS_ON]->(u:Job)
  RETURN u
}
WITH key, u WHERE u.hidden_at IS NULL AND u.key <> key
RETURN collect({key: key, upstream: u.key}) AS rows
