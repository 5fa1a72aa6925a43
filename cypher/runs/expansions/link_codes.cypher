// Link expanded tasks to their function.
UNWIND $rows AS row
MATCH (e:Expansion {key: row.key})
MATCH (c:TaskCode {sha256: row.code})
MERGE (e)-[:HAS_CODE]->(c)
