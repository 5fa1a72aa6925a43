// Lock namespaces, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Namespace {name: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.owner, .description, hidden: n.hidden_at IS NOT NULL} AS state
