// Record an applied migration and its way back.
MERGE (m:Migration {name: $name})
ON CREATE SET m.checksum = $checksum, m.applied_at = datetime.realtime()
SET m.back = $back
