// Existing datasets among these keys.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
WHERE d.hidden_at IS NULL
RETURN d.key AS key
ORDER BY key
