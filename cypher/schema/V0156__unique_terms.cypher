// Terms of freshness are found by the node that they are for, and by where they come from.
CREATE CONSTRAINT unique_terms IF NOT EXISTS FOR (n:Terms) REQUIRE n.key IS UNIQUE
