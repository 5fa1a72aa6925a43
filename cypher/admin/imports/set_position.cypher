// Store the position of an import, lock it, and count refused events, each once.
MATCH (i:Import {id: $id})
SET i.after = $after, i.offset = $offset
WITH i, [key IN $refused WHERE NOT key IN coalesce(i.refused_keys, [])] AS new
SET
  i.refused = i.refused + size(new),
  // An event that comes again is of the same page or the one before.
  i.refused_keys = (coalesce(i.refused_keys, []) + new)[-$most..]
RETURN i.state AS state
