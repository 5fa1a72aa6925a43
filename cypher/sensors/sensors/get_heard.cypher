// Whether any event was recorded since a time.
MATCH (e:Event) WHERE e.received_at >= $since
RETURN true AS heard
LIMIT 1
