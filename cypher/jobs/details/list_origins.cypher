// Derived columns of datasets, each with one of its source columns.
UNWIND $keys AS key
MATCH (:Dataset {key: key})-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(f:Field)-[:IN_SET*0..1]->(made)
WHERE coalesce(f.current, true)
WITH key, f, made
MATCH (made)-[e:DERIVED_FROM]->(s:Field)<-[:HAS_FIELD]-(source:Dataset)
WHERE source.hidden_at IS NULL
RETURN DISTINCT key AS dataset, f.name AS name, source.namespace AS source_namespace,
       source.name AS source_dataset, s.name AS source_name,
       coalesce(e.type, 'DIRECT') AS type, e.subtype AS subtype, e.description AS description
ORDER BY dataset, name, source_namespace, source_dataset, source_name, type, subtype, description
