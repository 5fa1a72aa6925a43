// The current definition of a pipeline by name.
MATCH (j:Job {namespace: $namespace, fqn: $fqn})
MATCH (v:JobVersion {hash: j.current_version})
RETURN v.definition AS definition
LIMIT 1
