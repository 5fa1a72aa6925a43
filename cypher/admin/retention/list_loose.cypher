// Facets that may be used no longer.
MATCH (f:Facet {loose: true})
RETURN f.hash AS hash
ORDER BY hash
