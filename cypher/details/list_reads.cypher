// What runs read, by dataset.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[e:READS]->(d:Dataset)
RETURN r.id AS id, d.namespace AS namespace, d.name AS name, null AS version,
       e.row_count AS row_count, e.size AS size, e.file_count AS file_count
ORDER BY id, namespace, name
