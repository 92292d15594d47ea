"""Outside things made to fit our ports: one outside thing each, its errors translated once."""
