// An event that is to be forwarded is its key: one an event and target.
CREATE CONSTRAINT unique_forwarding IF NOT EXISTS FOR (n:Forwarding) REQUIRE n.key IS UNIQUE
