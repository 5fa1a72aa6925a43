// Delete settled notifications of a given age, and count them; not while their run goes on.
//
// Its kept notification is why a slow or late run is reported once.
MATCH (n:Notification)
WHERE n.created_at < coalesce($now, datetime.realtime()) - $age AND n.state <> 'PENDING'
  AND NOT EXISTS { MATCH (r:Run {id: n.subject}) WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING'] }
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(n) AS deleted
