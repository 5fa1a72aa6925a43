// Facets that an import was the first to bring.
MATCH (:Import {id: $import_id})-[:ADDED]->(f:Facet)
RETURN f.hash AS hash
LIMIT $limit
