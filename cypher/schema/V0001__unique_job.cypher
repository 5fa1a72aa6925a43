// Every job has its own key.
CREATE CONSTRAINT unique_job IF NOT EXISTS FOR (n:Job) REQUIRE n.key IS UNIQUE
