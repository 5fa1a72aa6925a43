// Jobs under a parent with one of these namespaces and FQNs that did not come from adoption alone.
UNWIND $names AS wanted
MATCH (j:Job {namespace: wanted.namespace, fqn: wanted.name})
WHERE EXISTS { (:Job)-[:PARENT_OF]->(j) }
  AND (j.defined OR EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) })
WITH wanted, j ORDER BY j.key
WITH wanted, collect(j)[0] AS j
RETURN
  wanted.namespace AS wanted_namespace,
  wanted.name AS wanted_name,
  j {.key, .namespace, .name, .simple_name, .fqn, .cuts} AS job
ORDER BY wanted_namespace, wanted_name
