// Link declarations to their jobs.
UNWIND $rows AS row
MATCH (d:Declaration {key: row.key})
OPTIONAL MATCH (:Job)-[old:HAS_DECLARATION]->(d)
DELETE old
WITH DISTINCT d, row
MATCH (j:Job {key: row.job_key})
CREATE (j)-[:HAS_DECLARATION]->(d)
