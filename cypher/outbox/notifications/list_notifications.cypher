// Notifications, newest first.
MATCH (n:Notification)
WHERE n.created_at IS NOT NULL
RETURN
  n.key AS key,
  n.channel AS channel,
  n.type AS type,
  n.subject AS subject,
  n.namespace AS namespace,
  n.job AS job,
  n.at AS at,
  n.reason AS reason,
  n.message AS message,
  n.state AS state,
  n.attempts AS attempts,
  n.created_at AS created_at,
  n.next_at AS next_at,
  n.sent_at AS sent_at,
  n.error AS error
ORDER BY n.created_at DESC
LIMIT $limit
