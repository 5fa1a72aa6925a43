// Delete runs and declarations without any facts outside an import.
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(one:Run|Declaration)
WHERE one.facts IS NULL AND one.queued_at IS NULL
WITH t, one LIMIT $limit
CALL (one) {
  WITH one WHERE one:Run
  REMOVE one:Run
  SET one:Run
}
CALL (one) {
  WITH one WHERE one:Declaration
  REMOVE one:Declaration
  SET one:Declaration
}
WITH one WHERE one.facts IS NULL
OPTIONAL MATCH (j:Job)-[:HAS_RUN|HAS_DECLARATION]->(one)
SET j.unsettled = 'ADOPTION'
DETACH DELETE one
RETURN count(*) AS done
