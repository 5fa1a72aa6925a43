// Events with claims, the newest first: their authors, and the JSON paths that are no facts.
MATCH (e:Event)
WHERE e.judged_by IS NOT NULL AND ($author IS NULL OR e.author = $author)
RETURN e.id AS id,
       e.received_at AS received_at,
       e.author AS author,
       e.claims AS claims,
       e.body AS body
ORDER BY e.received_at DESC, e.id
SKIP $offset
LIMIT $limit
