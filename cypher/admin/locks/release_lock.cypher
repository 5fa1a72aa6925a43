// Release a lock if its owner still has it.
MATCH (l:Lease {name: $name})
SET l.locked = true
REMOVE l.locked
WITH l WHERE l.owner = $owner
DELETE l
