// Note the last use of tokens.
UNWIND $rows AS row
MATCH (t:Token {name: row.name})
WHERE coalesce(t.used_at < row.used_at, true)
SET t.used_at = row.used_at
