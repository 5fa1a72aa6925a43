// Those of these runs that were reported, and whether each is in the tree below a run, or above it.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WHERE NOT r.stub
RETURN r.id AS id,
       EXISTS { MATCH (r)<-[:PARENT_OF*0..100]-(top:Run) WHERE top.id = $run_id } AS is_inside,
       EXISTS { MATCH (r)-[:PARENT_OF*1..100]->(own:Run) WHERE own.id = $run_id } AS is_above
ORDER BY id
