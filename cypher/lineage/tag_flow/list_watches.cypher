// The watched tags with the number of columns that their values reach.
MATCH (t:Tag)
WHERE t.watched_since IS NOT NULL
RETURN t.name AS tag, t.watched_since AS since, COUNT { (t)-[:REACHES]->(:Field) } AS columns
ORDER BY tag
