// Those of these runs that were reported or named, and whether each is in the tree below a run.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id,
       EXISTS { MATCH (r)<-[:PARENT_OF*0..100]-(top:Run) WHERE top.id = $run_id } AS is_inside
ORDER BY id
