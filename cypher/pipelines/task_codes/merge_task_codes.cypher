// Store the functions of versions' tasks for their next runs; unsigned or changed ones are replaced.
UNWIND $rows AS row
MATCH (v:JobVersion {hash: row.version})
MERGE (c:TaskCode {sha256: row.sha256})
SET
  c.python = row.python,
  c.content = row.content,
  c.left_out = row.left_out,
  c.unnamed = row.unnamed,
  c.signature = row.signature
MERGE (v)-[:HAS_CODE]->(c)
WITH v, c
MATCH (v)-[old:HAS_CODE]->(other:TaskCode)
WHERE other <> c
DELETE old
