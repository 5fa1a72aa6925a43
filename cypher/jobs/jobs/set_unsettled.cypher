// Mark jobs that must still adopt runs of their names, or rebuild their reads and writes.
UNWIND $rows AS row
MATCH (j:Job {key: row.key})
SET j.unsettled = CASE
  WHEN row.unsettled = 'FLOWS' AND j.unsettled = 'ADOPTION' THEN j.unsettled
  ELSE row.unsettled
END
