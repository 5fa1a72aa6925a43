// A notification is its key: one a transition and channel.
CREATE CONSTRAINT unique_notification IF NOT EXISTS FOR (n:Notification) REQUIRE n.key IS UNIQUE
