// Store the times at which sources were last new, as sensors of freshness terms answered.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id}) WHERE EXISTS { (s)<-[:WATCHES]-(:Terms) }
SET s.is_timed = row.at IS NOT NULL, s.source_at = coalesce(datetime(row.at), s.source_at)
