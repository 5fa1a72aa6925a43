// Lock tags, and return their states as far as the audit log shows them.
UNWIND $keys AS key
MATCH (n:Tag {name: key})
SET n.locked = true
REMOVE n.locked
RETURN key, n {.description, watched: n.watched_since IS NOT NULL} AS state
