// Give the tasks of a pipeline the terms that its definition states, and no others theirs.
CALL () {
  MATCH (:Job {key: $job_key})-[:PARENT_OF*1..]->(:Job)-[:HAS_TERMS]->(old:Terms {stated: true})
  WHERE NOT old.node IN [row IN $stated | row.key]
  DETACH DELETE old
}
UNWIND $stated AS row
MATCH (j:Job {key: row.key})
MERGE (t:Terms {key: 'stated:' + row.key})
ON CREATE SET t.set_at = coalesce($now, datetime.realtime())
SET t += row.terms, t.node = row.key, t.stated = true
MERGE (j)-[:HAS_TERMS]->(t)
