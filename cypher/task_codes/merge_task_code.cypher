// Keep the functions of a version's tasks, as the ones that its next runs get.
MATCH (v:JobVersion {hash: $version})
MERGE (c:TaskCode {sha256: $sha256})
ON CREATE SET
  c.python = $python,
  c.content = $content,
  c.left_out = $left_out,
  c.unnamed = $unnamed
MERGE (v)-[:HAS_CODE]->(c)
WITH v, c
MATCH (v)-[old:HAS_CODE]->(other:TaskCode)
WHERE other <> c
DELETE old
