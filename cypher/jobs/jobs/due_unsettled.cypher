// A job into which runs are still to move by their name, or else one that is to be told again.
MATCH (j:Job) WHERE j.unsettled IS NOT NULL
RETURN j.key AS key, j.unsettled AS unsettled
ORDER BY unsettled
LIMIT 1
