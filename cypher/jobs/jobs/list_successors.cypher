// Jobs that are stubs now, and the jobs under a parent with the same names.
UNWIND $keys AS key
MATCH (old:Job {key: key})
WHERE old.stub AND NOT EXISTS { (:Job)-[:PARENT_OF]->(old) } AND NOT EXISTS { (old)-[:HAS_RUN]->() }
MATCH (new:Job {namespace: old.namespace, fqn: old.fqn}) WHERE EXISTS { (:Job)-[:PARENT_OF]->(new) }
RETURN old.key AS old_key, new.key AS new_key
ORDER BY old_key, new_key
