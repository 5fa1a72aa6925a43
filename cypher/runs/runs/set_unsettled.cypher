// Note after which child the children of runs are still to be moved; null: all of them were.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
SET r.unsettled_after = row.after
