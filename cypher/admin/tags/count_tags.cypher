// Count the tags.
MATCH (t:Tag)
WHERE t.name IS NOT NULL
RETURN count(*) AS total
