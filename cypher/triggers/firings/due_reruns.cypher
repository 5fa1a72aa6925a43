// Failed runs of triggers that are due for a rerun, up to the trigger's limit; each once.
//
// A run by hand may have taken what several triggers hold: that with the most reruns left repeats it.
UNWIND $run_ids AS run_id
MATCH (t:Trigger)-[:FIRED]->(f:Firing)-[:STARTED]->(r:Run {id: run_id, state: 'FAILED'})
USING INDEX r:Run(id)
WHERE t.enabled AND t.reruns >= COUNT { (f)-[:STARTED]->(:Run) }
  AND NOT EXISTS { (:Run)-[:RERUN_OF]->(r) }
WITH r, t, f ORDER BY t.reruns - COUNT { (f)-[:STARTED]->(:Run) } DESC, f.key
WITH r, collect({key: f.key, trigger_id: t.id, delay: t.rerun_delay})[0] AS first
RETURN first.key AS key, first.trigger_id AS trigger_id, r.id AS run_id, r.params AS params,
  first.delay AS delay
ORDER BY key
