// Every source has its own sha256.
CREATE CONSTRAINT unique_source IF NOT EXISTS FOR (n:Source) REQUIRE n.sha256 IS UNIQUE
