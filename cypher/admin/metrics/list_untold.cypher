// How many notifications wait on each channel, and since when the oldest does.
MATCH (n:Notification)
WHERE n.next_at IS NOT NULL AND n.state = 'PENDING'
RETURN n.channel AS channel, count(n) AS waiting, min(n.created_at) AS since
ORDER BY channel
