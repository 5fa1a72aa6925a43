// Attach tags to the job, dataset or column of a key; missing tags are created.
CALL () {
  MATCH (n:Job {key: $key})
  RETURN n
  UNION
  MATCH (n:Dataset {key: $key})
  RETURN n
  UNION
  MATCH (n:Field {key: $key})
  RETURN n
}
WITH n, coalesce($now, datetime.realtime()) AS now
UNWIND $names AS name
MERGE (t:Tag {name: name})
ON CREATE SET t.created_at = now, t.updated_at = now
SET t.locked = true
REMOVE t.locked
MERGE (n)-[tagged:TAGGED]->(t)
ON CREATE SET tagged.tagged_at = now
ON MATCH SET tagged.import_id = null
