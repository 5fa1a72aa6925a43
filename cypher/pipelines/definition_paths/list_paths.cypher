// The definition paths of a host, without those that were forgotten.
MATCH (p:DefinitionPath {host: $host}) WHERE p.forgotten IS NULL
RETURN
  p.key AS key, p.path AS path, p.folder AS folder, p.namespace AS namespace, p.zone AS zone,
  p.application AS application
ORDER BY path
