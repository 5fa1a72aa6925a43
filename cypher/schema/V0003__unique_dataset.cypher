// Every dataset has its own key.
CREATE CONSTRAINT unique_dataset IF NOT EXISTS FOR (n:Dataset) REQUIRE n.key IS UNIQUE
