// The file and line that define a pipeline.
MATCH (f:DefinitionFile)-[d:DECLARES]->(:Job {key: $job_key})
RETURN f.file AS file, d.line AS line
ORDER BY file
LIMIT 1
