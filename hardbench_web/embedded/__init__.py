"""One supervisor for Postgres, Valkey, web, worker and scheduler on a machine that has none of them."""
