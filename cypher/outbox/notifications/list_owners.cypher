// The facets of owners of jobs or datasets, of jobs those of the nearest ancestor that has one.
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE row.dataset_key IS NULL
  MATCH path = (above:Job)-[:PARENT_OF*0..]->(:Job {namespace: row.namespace, fqn: row.name})
  MATCH (above)-[:HAS_FACET {name: 'ownership'}]->(f:Facet)
  RETURN f.body AS body ORDER BY length(path) LIMIT 1
  UNION
  WITH row WHERE row.dataset_key IS NOT NULL
  MATCH (:Dataset {key: row.dataset_key})-[:HAS_FACET {name: 'ownership'}]->(f:Facet)
  RETURN f.body AS body LIMIT 1
}
RETURN row.namespace AS namespace, row.name AS name, body AS facet
ORDER BY namespace, name
