// The declared facts of jobs.
UNWIND $keys AS key
MATCH (d:Declaration {key: key})
RETURN d.key AS id, d.facts AS facts
ORDER BY id
