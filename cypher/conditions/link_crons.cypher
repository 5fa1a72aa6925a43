// Note scheduled times that came as occurrences of their conditions, and when the next one comes.
UNWIND $rows AS row
MATCH (c:Condition {id: row.id})
MERGE (c)-[o:OCCURRED {status: 'DUE', occurred_at: row.scheduled_at}]->(c)
SET c.next_at = row.next_at
