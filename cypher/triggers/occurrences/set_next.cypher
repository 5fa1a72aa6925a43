// Set the next times of conditions, if any.
UNWIND $rows AS row
MATCH (c:Condition {id: row.condition_id})
SET c.next_at = row.next_at
