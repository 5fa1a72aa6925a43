// The names of the tags that are watched.
MATCH (t:Tag)
WHERE t.watched_since IS NOT NULL
RETURN t.name AS name
ORDER BY name
