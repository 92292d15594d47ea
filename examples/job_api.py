"""A stand-in for a slow third-party job API, to try workflows against. It uses the standard library only.

    python examples/job_api.py --port 8089 --polls 4

    POST /jobs                -> 202 {"jobId", "state": "QUEUED"}; the same Idempotency-Key starts no second job
    GET  /jobs/{id}           -> {"jobId", "state", "progress"[, "result" | "error"]}; one step further per poll
    POST /jobs/{id}/fail      -> the job says FAILED at its next poll
    GET  /jobs/{id}/history   -> what each poll of the job was told
    GET  /polls               -> how many times each job was polled
    GET  /submits             -> which idempotency keys were seen, how often, and their jobs

A submit body may choose how its job behaves: {"behaviour": "never", "polls": 10}. The words are in `BEHAVIOURS`.
"""

import argparse
import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    status: int
    body: Json | str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def state(self) -> str | None:
        return self.body.get("state") if isinstance(self.body, dict) else None


@dataclass
class Job:
    job_id: str
    polls_to_finish: int
    behaviour: str
    failed: bool = False
    polls: int = 0
    history: list[Json] = field(default_factory=list)


def _progressing(job: Job) -> Answer:
    if job.failed:
        return Answer(200, {"jobId": job.job_id, "state": "FAILED", "progress": 100, "error": "upstream rejected the job"})
    if job.polls >= job.polls_to_finish:
        result = {"rows": 4211, "artifact": f"s3://exports/{job.job_id}.csv"}
        return Answer(200, {"jobId": job.job_id, "state": "SUCCEEDED", "progress": 100, "result": result})
    state = "QUEUED" if job.polls == 1 else "RUNNING"
    return Answer(200, {"jobId": job.job_id, "state": state, "progress": 100 * job.polls // job.polls_to_finish})


def _never(job: Job) -> Answer:
    return Answer(200, {"jobId": job.job_id, "state": "RUNNING", "progress": 1})


def _busy(job: Job) -> Answer:
    """Every second poll is told to slow down, in seconds (RFC 9110, Retry-After)."""
    if job.polls % 2 == 0:
        return Answer(429, {"error": "too many requests"}, {"Retry-After": "120"})
    return _progressing(job)


def _html(_job: Job) -> Answer:
    return Answer(200, "<html><body><h1>Be right back</h1></body></html>", {"Content-Type": "text/html; charset=utf-8"})


def _broken(_job: Job) -> Answer:
    return Answer(500, {"error": "internal error"})


def _fails(job: Job) -> Answer:
    job.failed = job.failed or job.polls >= job.polls_to_finish
    return _progressing(job)


BEHAVIOURS: dict[str, Callable[[Job], Answer]] = {
    "normal": _progressing,
    "never": _never,
    "busy": _busy,
    "html": _html,
    "broken": _broken,
    "fails": _fails,
}


class Jobs:
    """What the API remembers. Safe to use from many threads."""

    def __init__(self, polls_to_finish: int = 4, behaviour: str = "normal") -> None:
        self._polls_to_finish = polls_to_finish
        self._behaviour = behaviour
        self._jobs: dict[str, Job] = {}
        self._submits: dict[str, Json] = {}
        self._lock = threading.Lock()

    def submit(self, body: Json, key: str | None) -> Answer:
        behaviour = str(body.get("behaviour", self._behaviour))
        if behaviour not in BEHAVIOURS:
            return Answer(400, {"error": f"no behaviour {behaviour!r}; there are: {', '.join(BEHAVIOURS)}"})
        with self._lock:
            if key is not None and key in self._submits:
                seen = self._submits[key]
                seen["times"] += 1
                return Answer(202, {"jobId": seen["jobId"], "state": "QUEUED"})
            job = Job(f"job-{os.urandom(4).hex()}", int(body.get("polls", self._polls_to_finish)), behaviour)
            self._jobs[job.job_id] = job
            if key is not None:
                self._submits[key] = {"key": key, "jobId": job.job_id, "times": 1}
            return Answer(202, {"jobId": job.job_id, "state": "QUEUED"})

    def poll(self, job_id: str) -> Answer:
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None:
                return Answer(404, {"error": "no such job"})
            job.polls += 1
            answer = BEHAVIOURS[job.behaviour](job)
            job.history.append({"poll": job.polls, "statusCode": answer.status, "state": answer.state})
            return answer

    def fail(self, job_id: str) -> Answer:
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None:
                return Answer(404, {"error": "no such job"})
            job.failed = True
            return Answer(200, {"jobId": job_id, "willFail": True})

    def history(self, job_id: str) -> Answer:
        with self._lock:
            job = self._jobs.get(job_id)
            return Answer(200, {"history": list(job.history)}) if job else Answer(404, {"error": "no such job"})

    def polls(self) -> dict[str, int]:
        with self._lock:
            return {job.job_id: job.polls for job in self._jobs.values()}

    def submits(self) -> list[Json]:
        with self._lock:
            return [dict(seen) for seen in self._submits.values()]


def route(jobs: Jobs, method: str, path: str, body: Json, idempotency_key: str | None) -> Answer:
    match (method, path.strip("/").split("/")):
        case ("POST", ["jobs"]):
            return jobs.submit(body, idempotency_key)
        case ("GET", ["jobs", job_id]):
            return jobs.poll(job_id)
        case ("POST", ["jobs", job_id, "fail"]):
            return jobs.fail(job_id)
        case ("GET", ["jobs", job_id, "history"]):
            return jobs.history(job_id)
        case ("GET", ["polls"]):
            return Answer(200, {"polls": jobs.polls()})
        case ("GET", ["submits"]):
            return Answer(200, {"submits": jobs.submits()})
        case _:
            return Answer(404, {"error": "not found"})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    jobs: Jobs


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    # One packet per answer: head and body written apart would wait for each other on a kept-alive connection.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            self._send(Answer(400, {"error": "the body is not JSON"}))
            return
        self._answer(body if isinstance(body, dict) else {})

    def _answer(self, body: Json) -> None:
        self._send(route(self.server.jobs, self.command, urlsplit(self.path).path, body, self.headers.get("Idempotency-Key")))

    def _send(self, answer: Answer) -> None:
        content = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Stay silent: the workflow's own ledger shows each poll."""


@dataclass(frozen=True)
class Served:
    """A running job API. `close` it, or use it in a `with`."""

    url: str
    jobs: Jobs
    _server: _Server

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(port: int = 0, polls_to_finish: int = 4, behaviour: str = "normal") -> Served:
    """Serve on 127.0.0.1 in the background; port 0 takes a free one. Raises `OSError` when the port is taken."""
    server = _Server(("127.0.0.1", port), _Handler)
    server.jobs = Jobs(polls_to_finish, behaviour)
    # A short check interval, because `shutdown` waits for the next check.
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, name="job-api", daemon=True).start()
    return Served(f"http://127.0.0.1:{server.server_port}", server.jobs, server)


def main() -> None:
    parser = argparse.ArgumentParser(description="A slow job API to try workflows against.")
    parser.add_argument("--port", type=int, default=8089)
    parser.add_argument("--polls", type=int, default=4, help="the poll at which a job is done (default 4)")
    parser.add_argument("--behaviour", choices=sorted(BEHAVIOURS), default="normal")
    options = parser.parse_args()
    try:
        served = serve(options.port, options.polls, options.behaviour)
    except OSError as error:
        parser.exit(1, f"Cannot listen on port {options.port}: {error.strerror}. Choose another: --port {options.port + 1}\n")
    with served:
        print(f"The job API listens on {served.url}. Stop it with Ctrl-C.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("Stopped.")


if __name__ == "__main__":
    main()
