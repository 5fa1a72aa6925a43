// Keep received events, each once, with the run that it reports.
UNWIND $rows AS row
MERGE (e:Event {id: row.id})
ON CREATE SET
  e.event_time = row.event_time,
  e.event_type = row.event_type,
  e.body = row.body,
  e.received_at = datetime.realtime()
WITH e, row
MATCH (r:Run {id: row.run_id})
MERGE (e)-[:REPORTS]->(r)
