// Facets that the graph already has.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
RETURN f.hash AS hash
ORDER BY hash
