// Note that facets may be used no longer, or that they are.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
SET f.loose = $loose
