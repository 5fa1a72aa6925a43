"""Users of an OpenID Connect provider."""
