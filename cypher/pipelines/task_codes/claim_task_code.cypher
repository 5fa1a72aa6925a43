// The functions of a run's tasks: its own if it has some, otherwise those of its version.
MATCH (r:Run {id: $id})
OPTIONAL MATCH (:JobVersion {hash: r.wanted_version})-[:HAS_CODE]->(current:TaskCode)
SET r.task_code = coalesce(r.task_code, current.sha256)
WITH r
MATCH (c:TaskCode {sha256: r.task_code})
RETURN
  c.sha256 AS sha256,
  c.python AS python,
  c.content AS content,
  c.left_out AS left_out,
  c.unnamed AS unnamed,
  c.signature AS signature
