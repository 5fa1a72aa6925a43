// Make sure that runs exist, lock them, and return what is known of each.
UNWIND $ids AS id
MERGE (r:Run {id: id})
ON CREATE SET r.stub = true, r.state = 'PENDING', r.fence = 0
SET r.locked = true
REMOVE r.locked
WITH r
OPTIONAL MATCH (j:Job {key: r.job_key})
RETURN
  r.id AS id,
  r.facts AS facts,
  r.state AS state,
  j {.key, .namespace, .name, .simple_name, .fqn, .cuts} AS job
ORDER BY id
