// The jobs and datasets one data flow upstream of some; datasets that are the same are one.
CALL () {
  UNWIND $jobs AS key
  MATCH (n:Job {key: key})
  RETURN n
  UNION
  UNWIND $datasets AS key
  MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(n:Dataset)
  RETURN n
}
MATCH (n)<-[flow:FEEDS|PRODUCES]-(next)
WHERE next.hidden_at IS NULL AND ($at IS NULL OR flow.first_seen <= $at)
RETURN DISTINCT coalesce(next.same_as, next.key) AS key, next:Job AS is_job
ORDER BY key
LIMIT $limit
