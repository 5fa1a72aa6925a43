// Every field has its own key.
CREATE CONSTRAINT unique_field IF NOT EXISTS FOR (n:Field) REQUIRE n.key IS UNIQUE
