// Lock the pause of all triggers until the end of the transaction.
MERGE (p:Pause {id: 'all'})
SET p.locked = true
REMOVE p.locked
