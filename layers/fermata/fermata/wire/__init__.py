"""The spelling of JSON, ours and Conductor's, both ways. Pure: text and values in, values and text out."""
