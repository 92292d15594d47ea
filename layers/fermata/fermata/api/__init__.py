"""HTTP in, use case, HTTP out."""
