// Lock triggers, in a fixed order.
UNWIND $ids AS id
MATCH (t:Trigger {id: id})
WITH t ORDER BY t.id
SET t.locked = true
REMOVE t.locked
