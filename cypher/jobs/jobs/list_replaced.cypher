// Stub jobs, and the jobs under a parent with the same names.
UNWIND $keys AS key
MATCH (new:Job {key: key}) WHERE EXISTS { (:Job)-[:PARENT_OF]->(new) }
MATCH (old:Job {namespace: new.namespace, fqn: new.fqn})
WHERE old.stub AND NOT EXISTS { (:Job)-[:PARENT_OF]->(old) } AND NOT EXISTS { (old)-[:HAS_RUN]->() }
RETURN old.key AS old_key, new.key AS new_key
ORDER BY old_key, new_key
