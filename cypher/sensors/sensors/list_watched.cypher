// The sensors that triggers or freshness terms watch, or watched at the last check.
MATCH (s:Sensor)
WHERE s.shard >= 0 AND s.touched_at IS NOT NULL
  AND (s.is_watched OR s.is_judged OR EXISTS { (s)<-[:WATCHES]-(:Condition|Terms) })
RETURN s.id AS id
ORDER BY id
