// Make sure that the conditions of a trigger exist; those that it had keep what occurred.
UNWIND $rows AS row
MERGE (c:Condition {id: row.id})
ON CREATE SET c.created_at = coalesce($now, datetime.realtime()), c.next_at = row.next_at
SET c.operator = row.operator,
    c.text = row.text,
    c.height = row.height,
    c.statuses = row.statuses,
    c.cron = row.cron,
    c.zone = row.zone,
    c.holds = false
