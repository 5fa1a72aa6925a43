// Replace the stated freshness terms of pipelines' tasks by those of their definitions.
UNWIND $rows AS row
CALL (row) {
  MATCH (:Job {key: row.job_key})-[:PARENT_OF*1..]->(:Job)-[:HAS_TERMS]->(old:Terms {stated: true})
  WHERE NOT old.node IN [one IN row.stated | one.key]
  DETACH DELETE old
}
UNWIND row.stated AS one
MATCH (j:Job {key: one.key})
MERGE (t:Terms {key: 'stated:' + one.key})
ON CREATE SET t.set_at = coalesce($now, datetime.realtime())
SET t += one.terms, t.node = one.key, t.stated = true
MERGE (j)-[:HAS_TERMS]->(t)
