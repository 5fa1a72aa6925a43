// Every trigger has its own id.
CREATE CONSTRAINT unique_trigger IF NOT EXISTS FOR (n:Trigger) REQUIRE n.id IS UNIQUE
