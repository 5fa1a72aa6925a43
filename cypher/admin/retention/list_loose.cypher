// Facets that are possibly unused.
MATCH (f:Facet {loose: true})
RETURN f.hash AS hash
ORDER BY hash
