// The code of the top-level run that contains a run.
MATCH (top:Run)-[:PARENT_OF*0..]->(:Run {id: $run_id})
MATCH (v:JobVersion {hash: top.wanted_version})-[:BUILT_FROM]->(s:Source)
RETURN coalesce(top.source, s.sha256) AS sha256, v.root AS root
LIMIT 1
