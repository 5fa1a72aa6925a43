// Delete packed files that no run used or requires, and no active version has.
MATCH (s:Source)
WHERE s.sha256 > $after AND (s.archive IS NOT NULL OR s.url IS NOT NULL)
  AND NOT EXISTS { (:Run {source: s.sha256}) }
  AND NOT EXISTS { (p:BackfillPartition {state: 'UNSTARTED'}) WHERE p.repeats CONTAINS s.sha256 }
  AND NOT EXISTS {
    (v:JobVersion)-[:BUILT_FROM]->(s)
    WHERE EXISTS { (:Run)-[:RAN]->(v) } OR EXISTS { (:Run {wanted_version: v.hash}) }
      OR EXISTS { (j:Job)-[:HAS_VERSION]->(v) WHERE v.hash IN [j.current_version, j.latest_version] }
      OR any(start IN $pinned WHERE v.hash STARTS WITH start)
      OR EXISTS { (p:BackfillPartition {state: 'UNSTARTED'}) WHERE p.repeats CONTAINS v.hash }
  }
WITH s ORDER BY s.sha256 LIMIT $limit
// Whoever makes such a version current holds this lock: look again once it is ours.
SET s.locked = true
REMOVE s.locked
WITH s
WHERE NOT EXISTS { (:Run {source: s.sha256}) }
  AND NOT EXISTS {
    (v:JobVersion)-[:BUILT_FROM]->(s)
    WHERE EXISTS { (:Run)-[:RAN]->(v) } OR EXISTS { (:Run {wanted_version: v.hash}) }
      OR EXISTS { (j:Job)-[:HAS_VERSION]->(v) WHERE v.hash IN [j.current_version, j.latest_version] }
  }
FOREACH (x IN CASE WHEN $dry_run THEN [] ELSE [1] END | SET s.archive = null, s.url = null)
RETURN s.sha256 AS sha256
ORDER BY sha256
