// Attach existing tags to jobs by served name, to datasets and to columns.
CALL () {
  UNWIND $jobs AS row
  MATCH (j:Job {fqn: row.name})
  WHERE j.namespace = row.namespace OR EXISTS {
    MATCH (top:Job {namespace: row.namespace})-[:PARENT_OF*]->(j)
    WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  }
  RETURN j AS one, row.tag AS tag
  UNION
  UNWIND $datasets AS row
  MATCH (d:Dataset {key: row.key})
  RETURN d AS one, row.tag AS tag
  UNION
  UNWIND $fields AS row
  MATCH (f:Field {key: row.key})
  RETURN f AS one, row.tag AS tag
}
MATCH (t:Tag {name: tag})
MERGE (one)-[tagged:TAGGED]->(t)
ON CREATE SET tagged.tagged_at = datetime.realtime(), tagged.import_id = $import_id
