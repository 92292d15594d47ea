"""The command line sends what Conductor's own sends, and says what a server answers. The server here records and replays."""

import json
import socket

import pytest
from click.testing import CliRunner
from fermata_local import server
from fermata_local.cli import main
from fermata_local.cli.conductor import Conductor, server_url
from fermata_local.cli.watch import View
from fermata_local.lambda_events import GatewayAnswer

WF = "5f1c0c1e-0000-4000-8000-000000000001"
DEFINITION = {"name": "a b", "version": 2, "tasks": []}


class Recorder:
    """Answers `(method, path)` from a table, with an empty 200 otherwise, and keeps what was asked."""

    def __init__(self):
        self.answers = {}
        self.asked = []

    def __call__(self, request):
        self.asked.append((request.method, request.target, json.loads(request.body) if request.body else None))
        answer = self.answers.get((request.method, request.target.partition("?")[0]), (200, None))
        if isinstance(answer, GatewayAnswer):
            return answer
        status, body = answer
        if body is None:
            return GatewayAnswer(status)
        if isinstance(body, str):
            return GatewayAnswer(status, {"content-type": "text/plain;charset=UTF-8"}, body.encode())
        return GatewayAnswer(status, {"content-type": "application/json"}, json.dumps(body).encode())


@pytest.fixture(scope="module")
def served():
    recorder = Recorder()
    with server.serving(recorder) as url:
        yield recorder, url


@pytest.fixture
def fake(served):
    recorder, _ = served
    recorder.asked.clear()
    recorder.answers.clear()
    return recorder


@pytest.fixture
def run(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wf.json").write_text(json.dumps(DEFINITION))
    (tmp_path / "task.json").write_text(json.dumps({"name": "t"}))
    (tmp_path / "in.json").write_text('{"x": 1}')
    (tmp_path / "broken.json").write_text('{"name": ')
    return lambda *args: CliRunner().invoke(main, args, env={"CONDUCTOR_SERVER_URL": served[1]})


@pytest.mark.parametrize(
    ("args", "request_"),
    [
        (("workflow", "create", "wf.json"), ("POST", "/api/metadata/workflow?overwrite=true", DEFINITION)),
        (("workflow", "update", "wf.json"), ("PUT", "/api/metadata/workflow", [DEFINITION])),
        (("workflow", "validate", "wf.json"), ("POST", "/api/metadata/workflow/validate", DEFINITION)),
        (("workflow", "list"), ("GET", "/api/metadata/workflow", None)),
        (("workflow", "get", "a b"), ("GET", "/api/metadata/workflow/a%20b", None)),
        (("workflow", "get", "a/b", "2"), ("GET", "/api/metadata/workflow/a%2Fb?version=2", None)),
        (("workflow", "delete", "a b", "2"), ("DELETE", "/api/metadata/workflow/a%20b/2", None)),
        (("workflow", "status", WF), ("GET", f"/api/workflow/{WF}/status?includeOutput=true&includeVariables=true", None)),
        (("workflow", "get-execution", WF), ("GET", f"/api/workflow/{WF}?includeTasks=false", None)),
        (("workflow", "get-execution", WF, "-c"), ("GET", f"/api/workflow/{WF}?includeTasks=true", None)),
        (("workflow", "get-execution", WF, "--full"), ("GET", f"/api/workflow/{WF}?includeTasks=true", None)),
        (("workflow", "pause", WF), ("PUT", f"/api/workflow/{WF}/pause", None)),
        (("workflow", "resume", WF), ("PUT", f"/api/workflow/{WF}/resume", None)),
        (("workflow", "retry", WF), ("POST", f"/api/workflow/{WF}/retry?resumeSubworkflowTasks=false", None)),
        (("workflow", "restart", WF), ("POST", f"/api/workflow/{WF}/restart?useLatestDefinitions=false", None)),
        (("workflow", "retry", WF, "--resume-subworkflow-tasks"), ("POST", f"/api/workflow/{WF}/retry?resumeSubworkflowTasks=true", None)),
        (("workflow", "restart", WF, "--use-latest"), ("POST", f"/api/workflow/{WF}/restart?useLatestDefinitions=true", None)),
        (("workflow", "rerun", WF), ("POST", f"/api/workflow/{WF}/rerun", {"reRunFromWorkflowId": WF})),
        (
            ("workflow", "rerun", WF, "--task-id", "t1", "--task-input", '{"a": 1}', "--workflow-input", "{}", "--correlation-id", "c"),
            (
                "POST",
                f"/api/workflow/{WF}/rerun",
                {
                    "reRunFromWorkflowId": WF,
                    "reRunFromTaskId": "t1",
                    "taskInput": {"a": 1},
                    "workflowInput": {},
                    "correlationId": "c",
                },
            ),
        ),
        (("workflow", "skip-task", WF, "a b"), ("PUT", f"/api/workflow/{WF}/skiptask/a%20b", {})),
        (
            ("workflow", "skip-task", WF, "r", "--task-output", '{"a": 1}'),
            ("PUT", f"/api/workflow/{WF}/skiptask/r", {"taskOutput": {"a": 1}}),
        ),
        (("workflow", "delete-execution", WF), ("DELETE", f"/api/workflow/{WF}/remove?archiveWorkflow=false", None)),
        (("workflow", "delete-execution", WF, "-a"), ("DELETE", f"/api/workflow/{WF}/remove?archiveWorkflow=true", None)),
        (("workflow", "terminate", WF, "--reason", "no use"), ("DELETE", f"/api/workflow/{WF}?reason=no+use", None)),
        (("task", "list"), ("GET", "/api/metadata/taskdefs", None)),
        (("task", "get", "t"), ("GET", "/api/metadata/taskdefs/t", None)),
        (("task", "create", "task.json"), ("POST", "/api/metadata/taskdefs", [{"name": "t"}])),
        (("task", "update", "task.json"), ("PUT", "/api/metadata/taskdefs", {"name": "t"})),
        (("task", "delete", "t"), ("DELETE", "/api/metadata/taskdefs/t", None)),
        (("task", "get-execution", "t1"), ("GET", "/api/tasks/t1", None)),
        (("task", "polls", "t1"), ("GET", "/api/tasks/t1/polls", None)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value[0], str) and len(value) != 3 else None,
)
def test_each_verb_makes_conductors_request(fake, run, args, request_):
    result = run(*args)
    assert result.exit_code == 0, result.output
    assert fake.asked == [request_]


def test_start_sends_the_input_and_prints_the_plain_id(fake, run):
    fake.answers["POST", "/api/workflow/a%20b"] = (200, WF)
    result = run("workflow", "start", "-w", "a b", "-i", "@in.json", "--version", "2", "--correlation-id", "c1")
    assert (result.exit_code, result.output) == (0, f"{WF}\n")
    assert fake.asked == [("POST", "/api/workflow/a%20b?version=2&correlationId=c1", {"x": 1})]


def test_search_builds_conductors_query(fake, run):
    fake.answers["GET", "/api/workflow/search"] = (200, {"totalHits": 1, "results": [{"workflowId": WF, "status": "FAILED"}]})
    result = run("workflow", "search", "-w", "n", "-s", "FAILED", "-c", "3", "--query", "[0].workflowId")
    assert (result.exit_code, result.output) == (0, f"{WF}\n")
    assert fake.asked[0][1] == (
        "/api/workflow/search?start=0&size=3&freeText=%2A&sort=startTime%3ADESC&query=workflowType+IN+%28n%29+AND+status+IN+%28FAILED%29"
    )


def test_a_table_has_one_row_per_record(fake, run):
    fake.answers["GET", "/api/metadata/taskdefs"] = (200, [{"name": "a", "retryCount": 3}, {"name": "long-name"}])
    assert run("task", "list", "-o", "table").output.splitlines() == ["name       retryCount", "a          3", "long-name  -"]


def test_a_refusal_shows_the_message_and_the_fields_and_exits_1(fake, run):
    violations = [{"path": "tasks[0].type", "message": "unknown task type"}]
    fake.answers["POST", "/api/metadata/workflow"] = (400, {"status": 400, "message": "Validation failed", "validationErrors": violations})
    result = run("workflow", "create", "wf.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: Validation failed\n  tasks[0].type: unknown task type\n"


def test_an_update_that_failed_for_one_definition_exits_1(fake, run):
    fake.answers["PUT", "/api/metadata/workflow"] = (200, {"bulkErrorResults": {"a b": "no tasks"}, "bulkSuccessfulResults": []})
    result = run("workflow", "update", "wf.json")
    assert (result.exit_code, result.stderr) == (1, "Error: a b: no tasks\n")


@pytest.mark.parametrize("verb", ["validate", "create"])
def test_warnings_are_shown_beside_the_result_and_exit_0(fake, run, verb):
    path = "/api/metadata/workflow" + ("/validate" if verb == "validate" else "")
    warning = {"path": "tasks[2].defaultCase", "message": "empty", "code": "EMPTY_DEFAULT_AFTER_POLL"}
    fake.answers["POST", path] = GatewayAnswer(200, {"X-Fermata-Warnings": json.dumps([warning])})
    result = run("workflow", verb, "wf.json")
    assert result.exit_code == 0
    assert result.stderr == "  warning EMPTY_DEFAULT_AFTER_POLL tasks[2].defaultCase: empty\n"
    assert result.stdout in {"a b version 2 is valid.\n", "Registered a b version 2.\n"}


@pytest.mark.parametrize("header", ["not json", "{}", "[1]"])
def test_a_header_that_is_no_list_of_warnings_is_passed_over(fake, run, header):
    fake.answers["POST", "/api/metadata/workflow/validate"] = GatewayAnswer(200, {"X-Fermata-Warnings": header})
    result = run("workflow", "validate", "wf.json")
    assert (result.exit_code, result.stderr) == (0, "")


def test_an_answer_that_is_not_conductors_is_said_as_it_is(fake, run):
    fake.answers["GET", "/api/metadata/workflow"] = (502, "<html>")
    assert "502 BAD GATEWAY" in run("workflow", "list").stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("workflow", "create", "broken.json"), "broken.json is not JSON"),
        (("workflow", "create", "missing.json"), "cannot read missing.json: No such file"),
        (("workflow", "start", "-w", "n", "-i", "[1]"), "the input is a JSON object"),
        (("workflow", "list", "--query", "a["), "--query"),
        (("workflow", "start"), "--workflow"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_exits_2(fake, run, args, said):
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_a_server_it_says_how_to_start_one(run):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        result = CliRunner().invoke(main, ["workflow", "list"], env={"CONDUCTOR_SERVER_URL": url})
    assert result.exit_code == 1
    assert f"No server at {url}/api" in result.stderr
    assert "make serve" in result.stderr


def _task(**fields):
    return {"taskId": "t1", "referenceTaskName": "await_job", "taskType": "HTTP_POLL", "status": "COMPLETED", "pollCount": 1, **fields}


@pytest.mark.parametrize(("status", "code"), [("COMPLETED", 0), ("FAILED", 1), ("TIMED_OUT", 1), ("TERMINATED", 1)])
def test_watch_shows_each_poll_and_exits_0_only_when_completed(fake, run, status, code):
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": status, "output": {"rows": 1}, "tasks": [_task(endTime=0)]})
    entry = {"poll": 1, "firedTime": 1767268800000, "statusCode": 200, "decision": "DONE", "nextDueTime": None}
    fake.answers["GET", "/api/tasks/t1/polls"] = (200, [entry])
    result = run("workflow", "watch", WF)
    assert result.exit_code == code
    assert "12:00:00  poll   1  200  DONE       no further look" in result.output
    assert "await_job: COMPLETED" in result.output
    assert '"rows": 1' in result.output


def test_watch_says_once_whom_a_run_waits_for(fake, served, monkeypatch):
    monkeypatch.setenv("CONDUCTOR_SERVER_URL", served[1])
    worker = {"for": "WORKER", "taskId": "t1", "referenceTaskName": "a", "name": "eu:pack"}
    waiting = [worker, {"for": "PERSON", "taskId": "t2", "referenceTaskName": "b"}, {"for": "OPERATOR"}, {"for": "TIME", "dueTime": 1}]
    fake.answers["GET", f"/api/workflow/{WF}"] = (200, {"status": "RUNNING", "output": {}, "tasks": [], "waitingFor": waiting})
    said = []
    view = View(Conductor(), WF, said.append)
    view.look()
    worker["lastPollTime"] = 1
    view.look()
    assert [line.strip() for line in said] == [
        "a: waits for a worker of the queue eu:pack, which nobody has polled",
        "b: waits for a person",
        "the run: waits for somebody to resume it",
    ]


@pytest.mark.parametrize("url", ["http://h:1", "http://h:1/", "http://h:1/api", "http://h:1/api/", "h:1"])
def test_the_server_address_ends_in_api_however_it_is_written(url):
    assert server_url(url) == "http://h:1/api"
