// Every declaration has its own key.
CREATE CONSTRAINT unique_declaration IF NOT EXISTS FOR (n:Declaration) REQUIRE n.key IS UNIQUE
