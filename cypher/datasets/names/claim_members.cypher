// Lock datasets.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
SET d.locked = true
REMOVE d.locked
