// Events are found in the order in which they were received.
CREATE INDEX event_received IF NOT EXISTS FOR (n:Event) ON (n.received_at)
