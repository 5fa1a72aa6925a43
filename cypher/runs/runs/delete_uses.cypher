// Delete reads and writes of runs that a later event replaced; a version that a firing consumed stays.
CALL () {
  UNWIND $rows AS row
  MATCH (:Run {id: row.id})-[u:READS]->(:Dataset {key: row.dataset_key})
  WHERE row.version_key IS NULL
  DELETE u
}
CALL () {
  UNWIND $rows AS row
  MATCH (:Run {id: row.id})-[u:WRITES]->(v:DatasetVersion {key: row.version_key})
  DELETE u
  SET v.written_at = NULL, v.begun_at = NULL
  WITH v
  WHERE NOT EXISTS { (v)<-[:CONSUMED|HOLDS|EXPIRED]-() }
  DETACH DELETE v
}
