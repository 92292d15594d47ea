"""Every port in memory: for tests, and as the plainest statement of what a port promises. Safe under threads."""
