// Those of some jobs that were deleted.
UNWIND $keys AS key
MATCH (j:Job {key: key})
WHERE j.hidden_at IS NOT NULL
RETURN key
ORDER BY key
