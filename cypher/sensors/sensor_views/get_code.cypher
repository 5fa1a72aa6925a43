// The code with which the run was started that a run is a part of.
MATCH (top:Run)-[:PARENT_OF*0..]->(:Run {id: $run_id})
MATCH (v:JobVersion {hash: top.wanted_version})-[:BUILT_FROM]->(s:Source)
RETURN s.sha256 AS sha256, v.root AS root
LIMIT 1
