// Store an environment once, and link a run to the environment of its last launch.
MATCH (r:Run {id: $run_id})
MERGE (e:Environment {sha256: $sha256})
ON CREATE SET e.python = $python, e.platform = $platform, e.packages = $packages
MERGE (r)-[:RAN_IN]->(e)
WITH r, e
MATCH (r)-[old:RAN_IN]->(other:Environment)
WHERE other <> e
DELETE old
