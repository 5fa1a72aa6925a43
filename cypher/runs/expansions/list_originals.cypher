// The tasks that the original of a rerun added.
MATCH (:Run {id: $run_id})-[:RERUN_OF]->(:Run)-[:EXPANDED]->(e:Expansion)
RETURN e.behind AS behind, e.definition AS definition
ORDER BY e.number, e.path
