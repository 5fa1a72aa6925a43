// Set the pipelines that definition files declare, and make these pipelines active.
UNWIND $rows AS row
MATCH (f:DefinitionFile {key: row.key})
MATCH (j:Job {key: row.job_key})
REMOVE j.withdrawn_at
MERGE (f)-[d:DECLARES]->(j)
SET d.line = row.line
WITH f, j
MATCH (other:DefinitionFile)-[old:DECLARES]->(j) WHERE other <> f
DELETE old
