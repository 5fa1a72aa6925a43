// Note the last use of sessions.
UNWIND $rows AS row
MATCH (s:Session {hash: row.name})
WHERE s.used_at < row.used_at
SET s.used_at = row.used_at
