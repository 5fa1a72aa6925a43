// Every facet has its own hash.
CREATE CONSTRAINT unique_facet IF NOT EXISTS FOR (n:Facet) REQUIRE n.hash IS UNIQUE
