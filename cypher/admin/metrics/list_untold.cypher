// Count the waiting notifications of each channel, with the time of the oldest.
MATCH (n:Notification)
WHERE n.next_at IS NOT NULL AND n.state = 'PENDING'
RETURN n.channel AS channel, count(n) AS waiting, min(n.created_at) AS since
ORDER BY channel
