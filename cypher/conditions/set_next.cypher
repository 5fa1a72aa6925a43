// Set when the next scheduled times come.
UNWIND $rows AS row
MATCH (c:Condition {id: row.id})
SET c.next_at = row.next_at
