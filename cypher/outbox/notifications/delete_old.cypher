// Delete settled notifications of a given age, and count them.
MATCH (n:Notification)
WHERE n.created_at < coalesce($now, datetime.realtime()) - $age AND n.state <> 'PENDING'
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(n) AS deleted
