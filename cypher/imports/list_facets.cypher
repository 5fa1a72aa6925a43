// Facets that an import was the first to bring.
MATCH (:Import {id: $import_id})-[:BROUGHT]->(f:Facet)
RETURN f.hash AS hash
LIMIT $limit
