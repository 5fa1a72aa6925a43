// Put a refused event aside if the claim is still valid, so that later events are sent.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.claim = $claim
MATCH (f:Forwarding {key: $key})
SET f.error = $error, f.refused_at = coalesce($now, datetime.realtime())
REMOVE f.waits_for
