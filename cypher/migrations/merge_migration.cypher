// Remember that a migration was applied, and the way back from it.
MERGE (m:Migration {name: $name})
ON CREATE SET m.checksum = $checksum, m.applied_at = datetime.realtime()
SET m.back = $back
