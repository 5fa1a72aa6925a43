// Remember that a migration was applied.
MERGE (m:Migration {name: $name})
ON CREATE SET m.checksum = $checksum, m.applied_at = datetime.realtime()
