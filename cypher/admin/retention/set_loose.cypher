// Mark or unmark facets as possibly unused.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
SET f.loose = $loose
