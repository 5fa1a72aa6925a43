"""HTTP requests within the policy."""
