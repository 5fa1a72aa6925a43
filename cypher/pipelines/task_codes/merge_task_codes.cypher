// Store the functions of versions' tasks for their next runs.
UNWIND $rows AS row
MATCH (v:JobVersion {hash: row.version})
MERGE (c:TaskCode {sha256: row.sha256})
ON CREATE SET
  c.python = row.python,
  c.content = row.content,
  c.left_out = row.left_out,
  c.unnamed = row.unnamed
MERGE (v)-[:HAS_CODE]->(c)
WITH v, c
MATCH (v)-[old:HAS_CODE]->(other:TaskCode)
WHERE other <> c
DELETE old
