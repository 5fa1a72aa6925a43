// Link columns to their source columns, with the job and the kind of derivation.
UNWIND $rows AS row
MATCH (f:Field {key: row.key})
MATCH (source:Field {key: row.source_key})
MERGE (f)-[:DERIVED_FROM {
  job_key: row.job_key, type: row.type, subtype: row.subtype, description: row.description
}]->(source)
