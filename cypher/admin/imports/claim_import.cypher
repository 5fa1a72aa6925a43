// Lock an import, and return its state; no row if it is gone.
MATCH (i:Import {id: $id})
SET i.locked = true
REMOVE i.locked
WITH i WHERE i.state IS NOT NULL
RETURN i.state AS state
