// Changes of state that have no number yet are found at once.
CREATE INDEX unnumbered_state_change IF NOT EXISTS FOR (n:StateChange) ON (n.unnumbered)
