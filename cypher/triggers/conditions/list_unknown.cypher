// The watched jobs of triggers of which there is neither a definition nor a run.
UNWIND $keys AS key
MATCH (:Job {key: key})<-[:STARTS]-(t:Trigger)-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(j:Job)
WHERE t.deleted_at IS NULL AND j.stub AND NOT EXISTS { (j)-[:HAS_RUN]->() }
RETURN DISTINCT key AS starts, t.name AS trigger, j.namespace AS namespace, j.fqn AS name
ORDER BY starts, trigger, name
