// Store the results of reading definition files, and the delays until they are due again.
UNWIND $rows AS row
MATCH (f:DefinitionFile {key: row.key})
WITH f, row, coalesce($now, datetime.realtime()) AS now
SET f += row.properties,
    f.turn = f.turn + 1,
    f.read_at = now,
    f.declares = COUNT { (f)-[:DECLARES]->(:Job) },
    f.rules = COLLECT {
      MATCH (f)-[:DECLARES]->(:Job)<-[:STARTS]-(t:Trigger)
      WHERE t.deleted_at IS NULL AND coalesce(t.origin, 'definition') = 'definition'
      RETURN t.rule ORDER BY t.id
    },
    f.next_at = CASE WHEN row.seconds IS NOT NULL
      THEN now + duration({seconds: coalesce(row.seconds, 0)})
    END
