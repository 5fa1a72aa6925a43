// Keep a path of a host that definitions are read from, and what holds where they don't say.
MERGE (p:DefinitionPath {key: $key})
SET p.host = $host,
    p.path = $path,
    p.folder = coalesce($folder, p.folder),
    p.namespace = $namespace,
    p.zone = $zone,
    p.application = $application
