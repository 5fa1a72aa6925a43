// The tasks that a run added to its version, in order.
MATCH (:Run {id: $run_id})-[:EXPANDED]->(e:Expansion)
RETURN e.behind AS behind, e.definition AS definition
ORDER BY e.number, e.path
