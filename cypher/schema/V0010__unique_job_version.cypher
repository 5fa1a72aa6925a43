// Every job version has its own hash.
CREATE CONSTRAINT unique_job_version IF NOT EXISTS FOR (n:JobVersion) REQUIRE n.hash IS UNIQUE
