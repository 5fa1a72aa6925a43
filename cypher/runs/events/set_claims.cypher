// Store the claims that are left of events; an event without any is like all others.
UNWIND $rows AS row
MATCH (e:Event {id: row.id})
SET
  e.claims = row.claims,
  e.judged_by = CASE WHEN row.claims IS NOT NULL THEN $rights END
