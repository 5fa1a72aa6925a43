// What was said from outside is there once.
CREATE CONSTRAINT unique_external_event IF NOT EXISTS FOR (n:ExternalEvent) REQUIRE n.id IS UNIQUE
