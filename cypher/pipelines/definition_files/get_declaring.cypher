// The definition file of a host that declares a pipeline.
MATCH (f:DefinitionFile {host: $host})-[:DECLARES]->(:Job {key: $job_key})
RETURN f.file AS file
LIMIT 1
