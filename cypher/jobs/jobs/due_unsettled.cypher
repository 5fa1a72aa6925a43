// A job that must still adopt runs of its name, or a job that must be rebuilt.
MATCH (j:Job) WHERE j.unsettled IS NOT NULL
RETURN j.key AS key, j.unsettled AS unsettled
ORDER BY unsettled
LIMIT 1
