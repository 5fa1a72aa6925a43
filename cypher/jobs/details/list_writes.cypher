// The writes of runs by dataset.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[e:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
WITH r.id AS id, d.key AS dataset, d.namespace AS namespace, d.name AS name, v.key AS version,
     r.id AS writer, e.schema AS schema,
     e.row_count AS row_count, e.size AS size, e.file_count AS file_count
ORDER BY id, namespace, name
RETURN collect([
  id, dataset, namespace, name, version, writer, schema, row_count, size, file_count
]) AS rows
