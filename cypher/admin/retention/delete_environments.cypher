// Delete environments that no run used or requires, except for one that is kept.
MATCH (e:Environment)
WHERE e.sha256 > $after AND e.sha256 <> $kept AND NOT EXISTS { (:Run)-[:RAN_IN]->(e) }
  AND NOT EXISTS { (:Run {wanted_environment: e.sha256}) }
  AND NOT EXISTS { (p:BackfillPartition {state: 'UNSTARTED'}) WHERE p.repeats CONTAINS e.sha256 }
WITH e, e.sha256 AS sha256 ORDER BY sha256 LIMIT $limit
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE e:Environment
SET e:Environment
WITH e, sha256 WHERE NOT EXISTS { (:Run)-[:RAN_IN]->(e) }
FOREACH (x IN CASE WHEN $dry_run THEN [] ELSE [1] END | DETACH DELETE e)
RETURN sha256
ORDER BY sha256
