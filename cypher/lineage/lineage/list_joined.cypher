// All jobs and datasets that have a data flow.
MATCH (n:Job|Dataset)
WHERE n.hidden_at IS NULL AND EXISTS { (n)-[:FEEDS|PRODUCES]-() }
RETURN collect({
  key: n.key,
  is_job: n:Job
}) AS rows
