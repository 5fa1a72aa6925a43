// Those of some sensors that have a cursor.
UNWIND $ids AS id
MATCH (s:Sensor {id: id}) WHERE s.cursor IS NOT NULL
RETURN s.id AS id, s.kind AS kind, s.fields AS fields
ORDER BY id
