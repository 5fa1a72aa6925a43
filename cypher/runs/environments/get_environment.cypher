// The environment of a run.
MATCH (:Run {id: $run_id})-[:RAN_IN]->(e:Environment)
RETURN e.sha256 AS sha256, e.python AS python, e.platform AS platform, e.packages AS packages
LIMIT 1
