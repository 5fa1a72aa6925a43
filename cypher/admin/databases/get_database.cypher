// The name of the database, and the number of jobs and datasets in it.
CALL db.info() YIELD name
RETURN name,
       COUNT { MATCH (j:Job) WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL } AS jobs,
       COUNT { MATCH (d:Dataset) WHERE d.hidden_at IS NULL } AS datasets
