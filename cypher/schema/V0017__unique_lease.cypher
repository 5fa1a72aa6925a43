// Every lease has its own name.
CREATE CONSTRAINT unique_lease IF NOT EXISTS FOR (n:Lease) REQUIRE n.name IS UNIQUE
