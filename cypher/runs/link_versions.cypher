// Point runs at the version of the job that they ran.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
MATCH (v:JobVersion {hash: row.version})
MERGE (r)-[:RAN]->(v)
