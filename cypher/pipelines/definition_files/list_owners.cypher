// Pipelines of a root that have a name, or a task with this name; those of some files are left out.
UNWIND $names AS name
MATCH (j:Job {namespace: name.namespace, fqn: name.name})
MATCH (p:Job)-[:PARENT_OF*0..]->(j)
MATCH (f:DefinitionFile {host: $host, root: $root})-[d:DECLARES]->(p)
WHERE NOT f.file IN $files
WITH name, j, p, f, d, substring(j.fqn, size(p.fqn) + 1) AS task
WHERE j = p OR EXISTS {
  MATCH (:JobVersion {hash: p.current_version})-[:CONTAINS*1..]->(:TaskVersion {path: task})
}
RETURN DISTINCT
  name.namespace AS namespace, name.name AS name, f.path AS path, d.line AS line,
  p.fqn AS pipeline, CASE WHEN j = p THEN null ELSE task END AS task
ORDER BY namespace, name, path, line
