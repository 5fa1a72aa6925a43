// The code with which the run was started that a run which waits is a part of.
MATCH (r:Run {id: $run_id})-[w:WAITS_ON]->(:Sensor)
MATCH (top:Run {id: w.root_id})
MATCH (v:JobVersion {hash: top.wanted_version})-[:BUILT_FROM]->(s:Source)
RETURN s.sha256 AS sha256, v.root AS root
LIMIT 1
