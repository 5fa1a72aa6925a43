// Store the results of reading definition files; a fault that stays doubles the delay, up to an hour.
UNWIND $rows AS row
MATCH (f:DefinitionFile {key: row.key})
WITH f, row, coalesce($now, datetime.realtime()) AS now
CALL (f, row, now) {
  OPTIONAL MATCH (f)-[:HAS_FAULT]->(d:DefinitionFault) WHERE d.message IN row.faults
  RETURN coalesce(max(duration.inSeconds(d.at, now).seconds), 0) AS age
}
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
      THEN now + duration({seconds: coalesce(row.seconds, 0) + CASE WHEN age < 3600 THEN age ELSE 3600 END})
    END
