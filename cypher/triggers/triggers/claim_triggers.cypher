// Lock the enabled triggers among these.
UNWIND $ids AS id
MATCH (t:Trigger {id: id})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.enabled
RETURN t.id AS id
ORDER BY id
