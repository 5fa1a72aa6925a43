// The datasets that a run and its descendants wrote.
MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)-[e:WRITES]->(v:DatasetVersion)
MATCH (d:Dataset)-[:HAS_VERSION]->(v)
RETURN d.key AS key, d.namespace AS namespace, d.name AS name,
       CASE count(coalesce(e.row_count, v.row_count)) WHEN 0 THEN null
         ELSE sum(coalesce(e.row_count, v.row_count)) END AS row_count,
       CASE count(coalesce(e.size, v.size)) WHEN 0 THEN null
         ELSE sum(coalesce(e.size, v.size)) END AS size,
       CASE count(e.file_count) WHEN 0 THEN null ELSE sum(e.file_count) END AS file_count,
       max(v.version) AS version, collect(DISTINCT e.partitions) AS partitions
ORDER BY name, namespace
