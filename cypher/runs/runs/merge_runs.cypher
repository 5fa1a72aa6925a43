// Create or lock runs, and return their known facts.
UNWIND $ids AS id
MERGE (r:Run {id: id})
ON CREATE SET r.stub = true, r.state = 'PENDING', r.fence = 0
SET r.locked = true
REMOVE r.locked
WITH r
OPTIONAL MATCH (j:Job {key: r.job_key})
WITH r, j
ORDER BY r.id
RETURN collect({
  id: r.id,
  facts: r.facts,
  state: r.state,
  job: j {.key, .namespace, .name, .simple_name, .fqn, .cuts}
}) AS rows
