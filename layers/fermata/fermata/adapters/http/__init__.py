"""HTTP out: the one adapter behind `HttpClient`, on `requests`. Import `client` where HTTP tasks run, and nowhere else: it costs 30 ms."""
