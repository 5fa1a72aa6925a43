// Clear the reported facts of datasets and declarations before they are recorded again.
CALL () {
  UNWIND $datasets AS key
  MATCH (d:Dataset {key: key})
  REMOVE d.facts, d.schema_at
  WITH d
  CALL (d) {
    MATCH (d)-[l:HAS_FACET|HAS_NAME]->()
    DELETE l
  }
  CALL (d) {
    MATCH (d)-[h:HAS_ASSERTION]->()
    SET h = {}
  }
  CALL (d) {
    MATCH (d)-[:HAS_FIELD]->(f:Field)
    REMOVE f.type, f.current, f.ordinal
  }
}
CALL () {
  UNWIND $declarations AS key
  MATCH (d:Declaration {key: key})
  REMOVE d.facts
}
