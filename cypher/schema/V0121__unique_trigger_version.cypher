// Every trigger of a version has its own hash.
CREATE CONSTRAINT unique_trigger_version IF NOT EXISTS FOR (n:TriggerVersion) REQUIRE n.hash IS UNIQUE
