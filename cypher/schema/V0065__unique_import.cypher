// Every import has its own id.
CREATE CONSTRAINT unique_import IF NOT EXISTS FOR (n:Import) REQUIRE n.id IS UNIQUE
