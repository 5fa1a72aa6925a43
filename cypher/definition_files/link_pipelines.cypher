// Say which pipelines a definition file declares, and that they are in force; no other does so.
UNWIND $rows AS row
MATCH (f:DefinitionFile {key: $key})
MATCH (j:Job {key: row.job_key})
REMOVE j.withdrawn_at
MERGE (f)-[d:DECLARES]->(j)
SET d.line = row.line
WITH f, j
MATCH (other:DefinitionFile)-[old:DECLARES]->(j) WHERE other <> f
DELETE old
