// Put tasks before those that wait for them.
UNWIND $rows AS row
MATCH (first:TaskVersion {hash: row.first_hash})
MATCH (then:TaskVersion {hash: row.hash})
MERGE (first)-[:BEFORE]->(then)
