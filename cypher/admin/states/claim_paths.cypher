// Lock definition paths, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:DefinitionPath {key: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.host, .path, .namespace, .application, .forgotten} AS state
