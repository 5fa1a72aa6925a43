// Record that a run only waits; park it if too many processes rest and no nudge came meanwhile.
//
// Who parks it for its worker may have seen it rest before it went on. Of a parked run nobody would
// notice that it was cancelled.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
// Its worker asks again if the answer was lost.
WITH r, r.launch = 'PARKED' AND $by_worker AS was_parked
WHERE r.fence = $fence AND (
  was_parked
  OR r.launch = 'CLAIMED'
    AND ($by_worker OR r.resting_since IS NOT NULL AND r.keeps_process IS NULL)
)
SET r.resting_since = coalesce($now, datetime.realtime()),
    r.keeps_process = CASE WHEN $keeps_process THEN true END
WITH r, was_parked, COUNT { (o:Run {launch: 'CLAIMED'}) WHERE o.resting_since IS NOT NULL } AS resting
WITH r, was_parked OR resting > $most
  AND NOT coalesce(r.cancel_requested, false)
  AND NOT EXISTS { (r)-[:PARENT_OF*1..]->(:Run)-[w:WAITS_ON]->(:Job) WHERE w.outcome IS NOT NULL }
  AND NOT EXISTS {
    (r)-[:PARENT_OF*1..]->(:Run {state: 'WAITING'})-[w:WAITS_ON]->(:Sensor)
    WHERE w.outcome IS NOT NULL
  }
  AND NOT EXISTS {
    MATCH (r)-[:PARENT_OF*1..]->(task:Run)
    MATCH (c:PoolClaim {run_id: task.id})
    WHERE c.taken_at IS NOT NULL AND c.fence = r.fence
  }
  AS is_parked
CALL (r, is_parked) {
  WITH r, is_parked WHERE is_parked
  SET r.launch = 'PARKED'
  REMOVE r.leased_at, r.lease_until, r.owner, r.wake_address, r.resting_since
}
RETURN is_parked
