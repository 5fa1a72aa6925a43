// Delete datasets that only conditions named, and that nothing names any more.
MATCH (d:Dataset) WHERE d.key IN $keys
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE d:Dataset
SET d:Dataset
// One that an event, a person or an import ever named has more properties.
WITH d WHERE size(keys(d)) = 3 AND NOT EXISTS { (d)--() }
DELETE d
