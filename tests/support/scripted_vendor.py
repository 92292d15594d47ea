"""A vendor on a local port, scripted by a test."""

import json
from collections.abc import Callable
from typing import Any

from fermata_local.lambda_events import GatewayAnswer, GatewayRequest

Answer = GatewayAnswer | Callable[[GatewayRequest], GatewayAnswer]


def said(body: Any, status: int = 200, **headers: str) -> GatewayAnswer:
    """Return an answer with a JSON body; header names with underscores for dashes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return GatewayAnswer(status, {"content-type": "application/json", **named}, json.dumps(body).encode())


class ScriptedVendor:
    """Answers each path by its script: one answer after the other, the last one for ever. What nobody scripted is a 404."""

    def __init__(self) -> None:
        self.url = ""  # of the server in front of it
        self.requests: list[GatewayRequest] = []
        self._scripts: dict[tuple[str, str], list[Answer]] = {}

    def on(self, method: str, path: str, *answers: Answer) -> None:
        self._scripts[method, path] = list(answers)

    def job(self, *states: str, job_id: str = "71c2") -> None:
        """Take a job at POST /jobs, and tell these states at its polls: what examples/http-poll-external-job.json talks to."""
        self.on("POST", "/jobs", said({"jobId": job_id, "state": "QUEUED"}, 202))
        done = {"rows": 4211, "artifact": f"s3://exports/{job_id}.csv"}
        bodies = [{"jobId": job_id, "state": state, **({"result": done} if state == "SUCCEEDED" else {})} for state in states]
        self.on("GET", f"/jobs/{job_id}", *(said(body) for body in bodies))

    def __call__(self, request: GatewayRequest) -> GatewayAnswer:
        self.requests.append(request)
        script = self._scripts.get((request.method, request.target.partition("?")[0]))
        if not script:
            return said({"error": "no script"}, 404)
        answer = script.pop(0) if len(script) > 1 else script[0]
        return answer(request) if callable(answer) else answer
