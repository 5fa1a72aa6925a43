// Keep what a reading of a definition file found out, and after how many seconds it is due again.
MATCH (f:DefinitionFile {key: $key})
WITH f, coalesce($now, datetime.realtime()) AS now
SET f += $properties,
    f.turn = f.turn + 1,
    f.read_at = now,
    f.declares = COUNT { (f)-[:DECLARES]->(:Job) },
    f.rules = COLLECT {
      MATCH (f)-[:DECLARES]->(:Job)<-[:STARTS]-(t:Trigger)
      WHERE t.deleted_at IS NULL AND coalesce(t.origin, 'definition') = 'definition'
      RETURN t.rule ORDER BY t.id
    },
    f.next_at = CASE WHEN $seconds IS NOT NULL
      THEN now + duration({seconds: coalesce($seconds, 0)})
    END
