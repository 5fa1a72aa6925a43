// Events are listed by their time.
CREATE INDEX event_time IF NOT EXISTS FOR (n:Event) ON (n.event_time)
