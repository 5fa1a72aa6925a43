// Delete functions without a version with files, a run or an expansion.
MATCH (c:TaskCode)
WHERE c.sha256 > $after AND NOT EXISTS { (:Run {task_code: c.sha256}) }
  AND NOT EXISTS { (:Expansion)-[:HAS_CODE]->(c) }
  AND NOT EXISTS {
    (c)<-[:HAS_CODE]-(:JobVersion)-[:BUILT_FROM]->(s:Source)
    WHERE s.archive IS NOT NULL OR s.url IS NOT NULL
  }
  AND NOT EXISTS { (p:BackfillPartition {state: 'UNSTARTED'}) WHERE p.repeats CONTAINS c.sha256 }
WITH c, c.sha256 AS sha256 ORDER BY sha256 LIMIT $limit
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE c:TaskCode
SET c:TaskCode
WITH c, sha256
WHERE NOT EXISTS { (:Expansion)-[:HAS_CODE]->(c) }
  AND NOT EXISTS {
    (c)<-[:HAS_CODE]-(:JobVersion)-[:BUILT_FROM]->(s:Source)
    WHERE s.archive IS NOT NULL OR s.url IS NOT NULL
  }
FOREACH (x IN CASE WHEN $dry_run THEN [] ELSE [1] END | DETACH DELETE c)
RETURN sha256
ORDER BY sha256
