// Failed runs of triggers that are due for a rerun, up to the trigger's limit.
UNWIND $run_ids AS run_id
MATCH (t:Trigger)-[:FIRED]->(f:Firing)-[:STARTED]->(r:Run {id: run_id, state: 'FAILED'})
USING INDEX r:Run(id)
WHERE t.enabled AND t.reruns >= COUNT { (f)-[:STARTED]->(:Run) }
  AND NOT EXISTS { (:Run)-[:RERUN_OF]->(r) }
RETURN f.key AS key, t.id AS trigger_id, r.id AS run_id, r.params AS params, t.rerun_delay AS delay
ORDER BY key
