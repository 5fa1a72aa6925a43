// Let conditions watch datasets; unknown datasets are created.
UNWIND $rows AS row
MATCH (c:Condition {id: row.id})
MERGE (d:Dataset {key: row.key})
ON CREATE SET d.namespace = row.namespace, d.name = row.name
MERGE (c)-[:WATCHES]->(d)
