// Events in the order of arrival, after a given one.
MATCH (e:Event)
WHERE e.received_at >= datetime($after)
  AND (e.received_at > datetime($after) OR e.id > $after_id)
RETURN e.id AS id,
       toString(e.received_at) AS received_at,
       e.author AS author,
       e.claims AS claims,
       e.body AS body
ORDER BY e.received_at, e.id
LIMIT $limit
