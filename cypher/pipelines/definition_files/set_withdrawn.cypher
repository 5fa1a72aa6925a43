// Withdraw pipelines that a definition file no longer declares, and return them.
MATCH (f:DefinitionFile {key: $key})
// Who writes what it declares has this lock.
SET f.locked = true
REMOVE f.locked
WITH f
MATCH (f)-[:DECLARES]->(j:Job)
WHERE NOT j.key IN $keep
SET j.locked = true
REMOVE j.locked
WITH f, j
// Another file may have taken it over meanwhile.
MATCH (f)-[d:DECLARES]->(j)
DELETE d
SET j.withdrawn_at = coalesce($now, datetime.realtime())
WITH j
CALL (j) {
  MATCH (j)-[f:IN_FORCE]->(:JobVersion) WHERE f.until IS NULL
  SET f.until = j.withdrawn_at
}
CALL (j) {
  MATCH (j)-[:PARENT_OF*0..]->(:Job)-[d:DEPENDS_ON]->(p:Job)
  DELETE d
  RETURN collect(DISTINCT CASE WHEN p.stub THEN p.key END) AS stubs
}
RETURN j.key AS key, j.fqn AS fqn, stubs
ORDER BY key
