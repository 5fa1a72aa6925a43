// Let enabled triggers count what happens from a time on.
MATCH (t:Trigger {enabled: true}) WHERE t.enabled_at < $at
WITH t ORDER BY t.id
SET t.enabled_at = $at
RETURN count(t) AS resumed
