// The condemned runs that partial reruns repeat, with the runs below them: their values are taken again.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[:RERUN_OF]->(o:Run)
WHERE size(coalesce(r.only, [])) > 0
MATCH (o)-[:PARENT_OF*0..]->(b:Run {condemned: $sweep})
RETURN DISTINCT b.id AS id
ORDER BY id
