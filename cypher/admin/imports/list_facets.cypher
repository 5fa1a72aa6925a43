// Facets that an import added.
MATCH (:Import {id: $import_id})-[:ADDED]->(f:Facet)
RETURN f.hash AS hash
LIMIT $limit
