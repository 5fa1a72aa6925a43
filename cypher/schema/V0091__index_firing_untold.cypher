// Firings that were given up and that nobody was told of are found without reading the others.
CREATE INDEX firing_untold IF NOT EXISTS FOR (n:Firing) ON (n.untold_at)
