// Delete facets.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
DETACH DELETE f
