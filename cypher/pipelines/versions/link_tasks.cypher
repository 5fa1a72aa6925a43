// Link tasks to the version, group or nested pipeline that contains them.
UNWIND $rows AS row
MATCH (t:TaskVersion {hash: row.hash})
MATCH (container:JobVersion|TaskVersion {hash: row.container_hash})
MERGE (container)-[:CONTAINS]->(t)
