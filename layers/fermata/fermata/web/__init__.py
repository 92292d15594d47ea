"""The web UI's pages as files that a gateway may ask for. No engine, no AWS, no data: a browser gets those from the API."""
