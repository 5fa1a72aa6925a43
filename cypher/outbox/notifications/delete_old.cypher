// Delete settled notifications of a given age, and count them; not while their run or cluster is there.
//
// A kept notification is why a slow or late run, or a cluster that is left, is reported once.
MATCH (n:Notification)
WHERE n.created_at < coalesce($now, datetime.realtime()) - $age AND n.state <> 'PENDING'
  AND NOT EXISTS { MATCH (r:Run {id: n.subject}) WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING'] }
  AND NOT EXISTS { (:Cluster {id: n.subject}) }
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(n) AS deleted
