// Lock a job that must still adopt runs of its name, or a job that must be rebuilt.
MATCH (j:Job) WHERE j.unsettled IS NOT NULL
WITH j ORDER BY j.unsettled
LIMIT 1
// Another move may change what is left to do until the lock is held, or finish.
SET j.locked = true
REMOVE j.locked
WITH j
RETURN j.key AS key, j.unsettled AS unsettled
