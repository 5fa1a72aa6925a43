// Lock all imports, and return since when the first of them lacks events of other senders.
MATCH (i:Import)
WITH i
ORDER BY i.id
SET i.locked = true
REMOVE i.locked
WITH min(coalesce(i.read_from, i.started_at)) AS since
WHERE since IS NOT NULL
RETURN since
