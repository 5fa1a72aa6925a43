// Store the position of an import, and lock it.
MATCH (i:Import {id: $id})
SET i.after = $after, i.offset = $offset, i.refused = i.refused + $refused
RETURN i.state AS state
