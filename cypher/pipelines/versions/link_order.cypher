// Link tasks to their successors.
UNWIND $rows AS row
MATCH (first:TaskVersion {hash: row.first_hash})
MATCH (then:TaskVersion {hash: row.hash})
MERGE (first)-[:BEFORE]->(then)
