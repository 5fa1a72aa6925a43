// Store a definition path of a host with its defaults.
MERGE (p:DefinitionPath {key: $key})
SET p.host = $host,
    p.path = $path,
    p.folder = coalesce($folder, p.folder),
    p.namespace = $namespace,
    p.zone = $zone,
    p.application = $application
REMOVE p.forgotten
