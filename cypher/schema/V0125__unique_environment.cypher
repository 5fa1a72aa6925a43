// Every environment has its own sha256.
CREATE CONSTRAINT unique_environment IF NOT EXISTS FOR (n:Environment) REQUIRE n.sha256 IS UNIQUE
