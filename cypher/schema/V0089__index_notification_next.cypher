// The notification of a channel that is due first is found without reading the others.
CREATE INDEX notification_next IF NOT EXISTS FOR (n:Notification) ON (n.state, n.channel, n.next_at)
