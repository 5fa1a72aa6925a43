// Those of these runs that were reported or named, with their place in the tree of a run.
//
// A run that was only named may yet turn out to be above. Both directions lead up: below are many.
OPTIONAL MATCH (own:Run {id: $run_id})<-[:PARENT_OF*1..100]-(above:Run)
WITH collect(above.id) AS above
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id,
       EXISTS { MATCH (r)<-[:PARENT_OF*0..100]-(top:Run) WHERE top.id = $run_id } AS is_inside,
       r.stub OR r.id IN above AS may_be_above
ORDER BY id
