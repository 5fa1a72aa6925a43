// Detach a tag from the job, dataset or column of a key, under all names of a dataset; the tag itself stays.
CALL () {
  MATCH (n:Job {key: $key})
  RETURN n
  UNION
  MATCH (:Dataset {key: $key})-[:SAME_AS*0..1]->(n:Dataset)
  RETURN n
  UNION
  MATCH (f:Field {key: $key})<-[:HAS_FIELD]-(d:Dataset)
  MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(n:Field {name: f.name})
  RETURN n
}
MATCH (n)-[tagged:TAGGED]->(:Tag {name: $name})
DELETE tagged
