// Lock those of the triggers that are enabled.
UNWIND $ids AS id
MATCH (t:Trigger {id: id, enabled: true})
SET t.locked = true
REMOVE t.locked
RETURN t.id AS id
ORDER BY id
