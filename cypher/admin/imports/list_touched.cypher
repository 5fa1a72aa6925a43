// Changed nodes of an import that are not restored yet, with their earlier facts.
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(one:Run|Declaration|Dataset)
WHERE t.restored IS NULL
RETURN
  CASE WHEN one:Run THEN 'RUN' WHEN one:Declaration THEN 'DECLARATION' ELSE 'DATASET' END AS kind,
  coalesce(one.id, one.key) AS key, one.namespace AS namespace, one.name AS name, t.facts AS facts
LIMIT $limit
