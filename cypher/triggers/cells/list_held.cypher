// The occurrences in the cells of a trigger, newest first per condition, and if they are too old to count.
MATCH (:Trigger {id: $trigger_id})-[:HAS_CELL]->(cell:Cell)-[h:HOLDS]->(what)
WITH cell, h, what ORDER BY h.occurred_at DESC, h.key
WITH cell, h.condition_id AS condition_id, count(h) AS total, collect({h: h, what: what})[..$most] AS some
UNWIND some AS one
WITH cell, condition_id, total, one.h AS h, one.what AS what
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(what)
OPTIONAL MATCH (d:Dataset)-[:HAS_VERSION]->(what)
RETURN
  cell.id AS cell_id,
  condition_id,
  total,
  h.status AS status,
  h.occurred_at AS occurred_at,
  h.until AS until,
  coalesce(j.fqn, d.name, what.name, what.text) AS name,
  coalesce(what.id, what.key) AS subject
ORDER BY cell_id, condition_id, occurred_at
