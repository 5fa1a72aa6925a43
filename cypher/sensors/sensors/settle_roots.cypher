// Queue parked runs again that have a task to continue.
UNWIND $ids AS id
MATCH (top:Run {id: id})
SET top.locked = true
REMOVE top.locked
WITH top
CALL (top) {
  WITH top WHERE top.launch = 'PARKED'
  SET top.launch = 'QUEUED', top.queued_at = coalesce($now, datetime.realtime())
}
RETURN top.id AS root_id, top.wake_address AS address
ORDER BY root_id
