// Jobs by key, each with the number of other jobs with the same FQN in the same served namespace.
UNWIND $keys AS key
MATCH (top:Job)-[:PARENT_OF*0..]->(j:Job {key: key})
WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
CALL (j, top) {
  MATCH (other_top:Job)-[:PARENT_OF*0..]->(other:Job {fqn: j.fqn})
  WHERE other <> j AND other.hidden_at IS NULL AND NOT EXISTS { (:Job)-[:PARENT_OF]->(other_top) }
    AND CASE WHEN $inherit THEN other_top.namespace = top.namespace
             ELSE other.namespace = j.namespace END
  RETURN count(other) AS twins
}
WITH key, twins
WHERE twins > 0
RETURN key
ORDER BY key
