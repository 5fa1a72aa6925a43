// Lock triggers, in an order that all agree on.
UNWIND $ids AS id
MATCH (t:Trigger {id: id})
WITH t ORDER BY t.id
SET t.locked = true
REMOVE t.locked
