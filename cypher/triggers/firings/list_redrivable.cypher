// The dead letters of a trigger, newest first, or those of the chosen firings that can be redriven.
MATCH (f:Firing)
WHERE f.trigger_id = $trigger_id AND f.fired_at IS NOT NULL
  AND CASE $chosen
    WHEN [] THEN f.state = 'DEAD_LETTER'
    ELSE f.key IN $chosen AND f.state IN ['DEAD_LETTER', 'EXPIRED', 'ABORTED']
  END
RETURN f.key AS key
ORDER BY f.fired_at DESC, key
LIMIT $limit
