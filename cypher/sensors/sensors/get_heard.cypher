// Say whether anything was told since a time.
MATCH (e:Event) WHERE e.received_at >= $since
RETURN true AS heard
LIMIT 1
