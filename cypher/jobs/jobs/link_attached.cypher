// Move user attachments of jobs to the jobs that their runs belong to now.
UNWIND $rows AS row
MATCH (old:Job {key: row.old_key})
SET old.locked = true
REMOVE old.locked
WITH row, old WHERE NOT old.defined
MATCH (new:Job {key: row.new_key})
// `is_empty`: no run, declaration or version is left at the old job. Only then are the old
// attachments removed. Otherwise both jobs keep them, because both names are in use.
WITH old, collect(DISTINCT new) AS news,
  NOT EXISTS { (old)-[:HAS_RUN|HAS_DECLARATION|HAS_VERSION]->() } AS is_empty
// Step 1: conditions that watch the job.
CALL (old, news, is_empty) {
  MATCH (c:Condition)-[w:WATCHES]->(old)
  FOREACH (new IN news | MERGE (c)-[:WATCHES]->(new))
  WITH w WHERE is_empty
  DELETE w
}
// Step 2: triggers that start it. A trigger starts one job, so the successor must be unique.
CALL (old, news, is_empty) {
  WITH old, news WHERE is_empty AND size(news) = 1
  MATCH (t:Trigger)-[s:STARTS]->(old)
  FOREACH (new IN news | MERGE (t)-[:STARTS]->(new))
  DELETE s
}
// Step 3: its silence limit; an existing limit of a new job has priority.
CALL (old, news, is_empty) {
  WITH old, news, is_empty WHERE old.silent_after IS NOT NULL
  FOREACH (new IN news | SET new.silent_after = coalesce(new.silent_after, old.silent_after))
  WITH old WHERE is_empty
  REMOVE old.silent_after
}
// Step 4: tags.
CALL (old, news, is_empty) {
  MATCH (old)-[tagged:TAGGED]->(tag:Tag)
  FOREACH (new IN news |
    MERGE (new)-[moved:TAGGED]->(tag)
    ON CREATE SET moved.tagged_at = tagged.tagged_at, moved.import_id = tagged.import_id)
  WITH tagged WHERE is_empty
  DELETE tagged
}
// Step 5: skips and mutes.
CALL (old, news, is_empty) {
  MATCH (skip:Skip)-[s:SKIPS]->(old)
  FOREACH (new IN news | MERGE (skip)-[:SKIPS]->(new))
  WITH s WHERE is_empty
  DELETE s
}
CALL (old, news, is_empty) {
  MATCH (mute:Mute)-[m:MUTES]->(old)
  FOREACH (new IN news | MERGE (mute)-[:MUTES]->(new))
  WITH m WHERE is_empty
  DELETE m
}
// Step 6: freshness terms. Their key contains the job, so each new job gets a copy.
CALL (old, news, is_empty) {
  MATCH (old)-[:HAS_TERMS]->(t:Terms)
  OPTIONAL MATCH (t)-[:WATCHES]->(s:Sensor)
  WITH t, news, is_empty, collect(s) AS sensors
  // What was reported of each part is not reported again.
  WITH t, news, is_empty, sensors, [(t)-[:HAS_PART]->(p:TermsPart) | p] AS parts
  FOREACH (new IN news |
    MERGE (copy:Terms {key: new.key})
    ON CREATE SET copy += t {.*, key: new.key, node: new.key}, copy.locked = true
    MERGE (new)-[:HAS_TERMS]->(copy)
    FOREACH (s IN sensors | MERGE (copy)-[:WATCHES]->(s))
    // Terms that it had are its own, and so is what was reported of them.
    FOREACH (p IN CASE WHEN copy.locked THEN parts ELSE [] END |
      MERGE (part:TermsPart {key: new.key + ' ' + p.value})
      ON CREATE SET part += p {.*, key: new.key + ' ' + p.value}
      MERGE (copy)-[:HAS_PART]->(part))
    REMOVE copy.locked)
  WITH t, is_empty WHERE is_empty
  OPTIONAL MATCH (t)-[:HAS_PART]->(p:TermsPart)
  DETACH DELETE t, p
}
// Step 7: dependencies of other tasks on the job.
CALL (old, news, is_empty) {
  WITH old, news WHERE is_empty
  MATCH (child:Job)-[d:DEPENDS_ON]->(old)
  FOREACH (new IN news | CREATE (child)-[moved:DEPENDS_ON]->(new) SET moved = properties(d))
  DELETE d
}
// Step 8: tasks that wait for it, and those whose wait has ended and who have not asked again.
CALL (old, news, is_empty) {
  WITH old, news WHERE is_empty
  MATCH (task:Run)-[w:WAITS_ON]->(old)
  WHERE w.next_at IS NOT NULL OR w.outcome IS NOT NULL
  // An open one is due at once: the new job may have completed.
  FOREACH (new IN news |
    MERGE (task)-[moved:WAITS_ON {kind: w.kind}]->(new)
    SET moved = properties(w), moved.next_at = CASE WHEN w.next_at IS NOT NULL THEN w.began_at END)
  DELETE w
}
