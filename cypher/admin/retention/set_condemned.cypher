// Condemn runs without new events: a sweep deletes them, unless a kept node needs them.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
// Whoever reports the run holds this lock: count its events once it is ours.
SET r.locked = true
REMOVE r.locked
WITH r, row WHERE COUNT { (r)<-[:REPORTS]-() } = row.events
SET r.condemned = $sweep, r.condemned_events = row.events
