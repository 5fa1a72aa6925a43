// The run of a token, while neither has ended.
MATCH (t:RunToken {hash: $hash})
WHERE t.expires_at > coalesce($now, datetime.realtime())
MATCH (r:Run {id: t.run_id})
WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
RETURN r.id AS run_id, r.namespace AS namespace
