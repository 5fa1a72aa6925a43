// Lock variables, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Variable {name: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.value} AS state
