// The files of other projects or hosts that define jobs, with the latest versions.
UNWIND $keys AS key
MATCH (j:Job {key: key}) WHERE j.withdrawn_at IS NULL
MATCH (f:DefinitionFile)-[d:DECLARES]->(j)
WHERE f.host <> $host OR f.root <> $root
RETURN key, f.host AS host, f.file AS file, d.line AS line,
  coalesce(j.latest_version, j.current_version) AS version
ORDER BY key
