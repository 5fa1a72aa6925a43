// Link sets of columns to the source columns of all of them, with the job and the kind of derivation.
UNWIND $rows AS row
MERGE (g:ColumnSet {key: row.key})
ON CREATE SET g.job_key = row.job_key
WITH g, row
CALL (g, row) {
  UNWIND row.columns AS key
  MATCH (f:Field {key: key})
  MERGE (f)-[:IN_SET]->(g)
}
CALL (g, row) {
  UNWIND row.sources AS said
  MATCH (source:Field {key: said.source_key})
  MERGE (g)-[:DERIVED_FROM {
    job_key: said.job_key, type: said.type, subtype: said.subtype, description: said.description
  }]->(source)
}
