// Events with claims that were judged by other rights than $rights, in the order of arrival.
MATCH (e:Event)
// Two ranges, as an index finds these.
WHERE e.judged_by < $rights OR e.judged_by > $rights
RETURN e.id AS id, e.author AS author, e.claims AS claims, e.body AS body
ORDER BY e.received_at, e.id
LIMIT $limit
