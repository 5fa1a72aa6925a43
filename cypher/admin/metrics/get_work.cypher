// Count waits, leases and events.
CALL () {
  MATCH (r:Run {launch: 'QUEUED'})
  RETURN count(r) AS queued, min(r.queued_at) AS queued_since
}
CALL () {
  MATCH (r:Run {launch: 'CLAIMED'})
  RETURN count(r) AS claimed
}
CALL () {
  MATCH (:Run)-[w:WAITS_ON]->(:Job)
  WHERE w.next_at IS NOT NULL
  RETURN count(w) AS waits
}
CALL () {
  MATCH (l:Lease)
  WHERE l.run_id IS NOT NULL
  RETURN count(l) AS leases
}
CALL () {
  MATCH (e:Event)
  RETURN count(e) AS events
}
RETURN queued, queued_since, claimed, waits, leases, events,
  coalesce($now, datetime.realtime()) AS now
