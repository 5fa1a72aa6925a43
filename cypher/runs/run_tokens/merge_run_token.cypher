// Store the token of a run by its hash, instead of an earlier one; delete tokens that are too old.
MATCH (r:Run {id: $run_id})
WITH r, coalesce($now, datetime.realtime()) AS now
CALL (now) {
  MATCH (old:RunToken)
  WHERE old.expires_at <= now
  DELETE old
}
MERGE (t:RunToken {run_id: r.id})
SET t.hash = $hash, t.expires_at = now + $age
RETURN t.run_id AS run_id
