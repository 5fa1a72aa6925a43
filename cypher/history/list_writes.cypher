// The datasets that a run and all below it wrote.
MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)-[e:WRITES]->(v:DatasetVersion)
MATCH (d:Dataset)-[:HAS_VERSION]->(v)
RETURN d.key AS key, d.namespace AS namespace, d.name AS name,
       sum(coalesce(e.row_count, v.row_count)) AS row_count,
       sum(coalesce(e.size, v.size)) AS size, sum(e.file_count) AS file_count,
       max(v.version) AS version, collect(DISTINCT e.partitions) AS partitions
ORDER BY name, namespace
