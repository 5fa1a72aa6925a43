// Every token has its own name.
CREATE CONSTRAINT unique_token IF NOT EXISTS FOR (n:Token) REQUIRE n.name IS UNIQUE
