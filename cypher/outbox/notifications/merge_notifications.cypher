// Create notifications in the outbox; existing ones do not change.
UNWIND $rows AS row
MERGE (n:Notification {key: row.key})
ON CREATE SET
  n += row,
  n.state = 'PENDING',
  n.attempts = 0,
  n.created_at = coalesce($now, datetime.realtime()),
  n.next_at = coalesce($now, datetime.realtime())
