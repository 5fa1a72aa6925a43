// The datasets that a run and its descendants read.
MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)-[e:READS]->(d:Dataset)
RETURN d.key AS key, d.namespace AS namespace, d.name AS name, max(e.row_count) AS row_count,
       max(e.size) AS size, max(e.file_count) AS file_count, max(e.version) AS version,
       collect(DISTINCT e.partitions) AS partitions
ORDER BY name, namespace
