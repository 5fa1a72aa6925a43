// Release the claim on a target.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.claim = $claim
REMOVE t.claim, t.claimed_until
