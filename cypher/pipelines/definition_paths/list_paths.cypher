// The definition paths of a host.
MATCH (p:DefinitionPath {host: $host})
RETURN
  p.key AS key, p.path AS path, p.folder AS folder, p.namespace AS namespace, p.zone AS zone,
  p.application AS application
ORDER BY path
