// Every target that events are forwarded to has its own name.
CREATE CONSTRAINT unique_forward_target IF NOT EXISTS FOR (n:ForwardTarget) REQUIRE n.name IS UNIQUE
