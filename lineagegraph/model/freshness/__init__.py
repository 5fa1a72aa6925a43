"""Terms of freshness and the standing that follows from them."""
