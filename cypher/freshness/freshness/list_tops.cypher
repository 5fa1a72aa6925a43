// The defined pipelines that contain jobs.
UNWIND $keys AS key
MATCH path = (top:Job)-[:PARENT_OF*0..]->(j:Job {key: key})
WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) } AND top.withdrawn_at IS NULL
  AND EXISTS { (top)-[:HAS_VERSION]->(:JobVersion) }
RETURN
  key AS job_key, top.key AS top_key,
  reduce(way = '', n IN nodes(path)[1..] | way + CASE way WHEN '' THEN '' ELSE '.' END
    + n.simple_name) AS path
ORDER BY job_key, top_key
