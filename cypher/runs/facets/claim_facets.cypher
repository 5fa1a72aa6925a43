// Lock facets against concurrent merges, and return those without a run and a dataset.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE f:Facet
SET f:Facet
WITH f WHERE NOT EXISTS { (f)<-[:HAS_FACET]-() }
RETURN f.hash AS hash
ORDER BY hash
