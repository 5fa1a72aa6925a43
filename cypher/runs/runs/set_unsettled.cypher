// Store the position in a run's children that must still move; null when all moved.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
SET r.unsettled_after = row.after
