// Put runs into their jobs, out of those that they were in.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
OPTIONAL MATCH (:Job)-[old:HAS_RUN]->(r)
DELETE old
WITH DISTINCT r, row
MATCH (j:Job {key: row.job_key})
CREATE (j)-[:HAS_RUN {adopted: row.adopted}]->(r)
SET r.job_key = row.job_key
