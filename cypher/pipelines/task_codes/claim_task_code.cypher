// Fix the files and functions of a run, and return the functions: its own, otherwise its version's.
//
// Its version may get other files later.
MATCH (r:Run {id: $id})
OPTIONAL MATCH (v:JobVersion {hash: r.wanted_version})
OPTIONAL MATCH (v)-[:HAS_CODE]->(current:TaskCode)
OPTIONAL MATCH (v)-[:BUILT_FROM]->(s:Source)
SET r.task_code = coalesce(r.task_code, CASE WHEN r.source IS NULL THEN current.sha256 END),
    r.source = coalesce(r.source, s.sha256)
WITH r
MATCH (c:TaskCode {sha256: r.task_code})
RETURN
  c.sha256 AS sha256,
  c.python AS python,
  c.content AS content,
  c.left_out AS left_out,
  c.unnamed AS unnamed,
  c.signature AS signature
