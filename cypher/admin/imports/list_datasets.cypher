// Datasets that an import changed, with their current facts.
MATCH (:Import {id: $import_id})-[:TOUCHED]->(d:Dataset)
RETURN 'DATASET' AS kind, d.key AS key, d.namespace AS namespace, d.name AS name, d.facts AS facts
LIMIT $limit
