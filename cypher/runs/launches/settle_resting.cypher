// Record that a run only waits; park it if too many processes rest and no nudge came meanwhile.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.launch = 'CLAIMED' AND r.fence = $fence
SET r.resting_since = coalesce($now, datetime.realtime()),
    r.keeps_process = CASE WHEN $keeps_process THEN true END
WITH r, COUNT { (o:Run {launch: 'CLAIMED'}) WHERE o.resting_since IS NOT NULL } AS resting
WITH r, resting > $most
  AND NOT EXISTS { (r)-[:PARENT_OF]->(:Run)-[w:WAITS_ON]->(:Job) WHERE w.outcome IS NOT NULL }
  AND NOT EXISTS {
    (r)-[:PARENT_OF*1..]->(:Run {state: 'WAITING'})-[w:WAITS_ON]->(:Sensor)
    WHERE w.outcome IS NOT NULL
  }
  AS is_parked
CALL (r, is_parked) {
  WITH r, is_parked WHERE is_parked
  SET r.launch = 'PARKED'
  REMOVE r.lease_until, r.owner, r.wake_address, r.resting_since
}
RETURN is_parked
