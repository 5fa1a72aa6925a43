// Every firing has its own key.
CREATE CONSTRAINT unique_firing IF NOT EXISTS FOR (n:Firing) REQUIRE n.key IS UNIQUE
