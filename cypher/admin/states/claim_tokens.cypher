// Lock tokens, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Token {name: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.read, .write, .operate, .admin, .datasets, .expires_at, .rotated_at} AS state
