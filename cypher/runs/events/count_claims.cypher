// The number of events with claims.
MATCH (e:Event)
WHERE e.judged_by IS NOT NULL AND ($author IS NULL OR e.author = $author)
RETURN count(e) AS count
