// Every event has its own id.
CREATE CONSTRAINT unique_event IF NOT EXISTS FOR (n:Event) REQUIRE n.id IS UNIQUE
