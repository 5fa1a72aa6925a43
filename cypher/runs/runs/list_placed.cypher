// Runs, each with its own name, its parent, and the jobs of both.
UNWIND $ids AS id
MATCH (r:Run {id: id})
OPTIONAL MATCH (:Job)-[h:HAS_RUN]->(r)
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
OPTIONAL MATCH (p)<-[:HAS_RUN]-(pj:Job)
RETURN
  r.id AS id,
  r.namespace AS namespace,
  r.name AS name,
  r.job_key AS job_key,
  coalesce(h.adopted, false) AS adopted,
  p.id AS parent_id,
  pj {.key, .namespace, .name, .simple_name, .fqn, .cuts} AS parent_job,
  coalesce(r.on_cycle, false) AS on_cycle
ORDER BY id
