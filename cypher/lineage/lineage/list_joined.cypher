// All jobs and datasets that have a data flow.
MATCH (n:Job|Dataset)
WHERE n.hidden_at IS NULL AND EXISTS { (n)-[:FEEDS|PRODUCES]-() }
WITH DISTINCT coalesce(n.same_as, n.key) AS key, n:Job AS is_job
RETURN collect({
  key: key,
  is_job: is_job
}) AS rows
