// Delete jobs that have no run, declaration, child or attachment left, or note what a mute or a wait spares.
MATCH (j:Job) WHERE j.key IN $keys
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE j:Job, j.spared
SET j:Job
WITH j WHERE NOT j.defined AND j.silent_after IS NULL
  AND NOT EXISTS { (j)-[:HAS_RUN|HAS_DECLARATION|PARENT_OF|HAS_VERSION|TAGGED|HAS_TERMS]->() }
  AND NOT EXISTS { (j)<-[:STARTS|WATCHES|SKIPS|DEPENDS_ON]-() }
WITH j, EXISTS { (j)<-[:MUTES]-(m:Mute) WHERE m.expires_at > datetime.realtime() }
  OR EXISTS { (j)<-[w:WAITS_ON]-(:Run) WHERE w.next_at IS NOT NULL OR w.outcome IS NOT NULL } AS is_spared
FOREACH (spared IN CASE WHEN is_spared THEN [j] ELSE [] END | SET spared.spared = true)
WITH j WHERE NOT is_spared
CALL (j) {
  MATCH (a:Alias)-[:NAMES]->(j)
  REMOVE a:Alias
  SET a:Alias
  WITH j, a
  WHERE NOT EXISTS { MATCH (a)-[:NAMES]->(other:Job) WHERE other <> j }
  DETACH DELETE a
}
CALL (j) {
  MATCH (over:Mute)-[:MUTES]->(j)
  DETACH DELETE over
}
CALL (j) {
  MATCH (:Field)-[x:DERIVED_FROM {job_key: j.key}]->(:Field)
  DELETE x
}
CALL (j) {
  MATCH (g:ColumnSet {job_key: j.key})
  DETACH DELETE g
}
OPTIONAL MATCH (p:Job)-[:PARENT_OF]->(j)
WITH j, j.key AS key, p.key AS parent_key
DETACH DELETE j
RETURN key, parent_key
ORDER BY key
