// Replace the secret of a token; no row if there is none with that name.
MATCH (t:Token {name: $name})
SET t.locked = true
REMOVE t.locked
// Without a hash it was revoked meanwhile.
WITH t WHERE t.hash IS NOT NULL
WITH t, coalesce($now, datetime.realtime()) AS now,
     duration.inSeconds(coalesce(t.rotated_at, t.created_at), t.expires_at) AS lifetime
SET t.old_hash = t.hash,
    t.old_until = CASE WHEN t.expires_at < now + $grace THEN t.expires_at ELSE now + $grace END,
    t.hash = $hash,
    t.rotated_at = now,
    t.expires_at = now + coalesce($expires, lifetime)
RETURN t.name AS name
