// The newest and the oldest notifications are found without reading the others.
CREATE INDEX notification_created IF NOT EXISTS FOR (n:Notification) ON (n.created_at)
