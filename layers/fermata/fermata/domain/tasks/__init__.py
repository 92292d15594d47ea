"""Everything one task type knows, one file per type; `registry` lists them."""
