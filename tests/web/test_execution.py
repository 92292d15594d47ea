"""One execution in the browser: its sentence, tasks, polls and data, alive while it runs, whatever is stored in it."""

import re
from datetime import timedelta

import pytest
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import TASK_TYPES

MINUTE = timedelta(minutes=1)
ASKS = {"name": "asks", "version": 1, "schemaVersion": 2, "tasks": [{"name": "ask", "taskReferenceName": "ask", "type": "HUMAN"}]}
POLL = {"poll": 1, "dueTime": 1, "firedTime": 2, "latenessMs": 1, "latencyMs": 30, "decision": "AGAIN", "nextDueTime": 60_000}
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
STATUSES = [each.value for each in TaskStatus]
TYPES = [*sorted(TASK_TYPES), "FORK", "a_worker"]  # a static fork is called FORK in a run, a worker's task by its own name
PARTS = ("Graph", "Tasks", "Timeline", "Polls", "Input and output", "Definition", "JSON", "Operations")
PARTIES = ["WORKER", "PERSON", "SIGNAL", "UPDATE", "VENDOR", "TIME", "CHILD", "TASKS", "OPERATOR", "ENGINE"]


@pytest.fixture(autouse=True)
def made_up_runs(complaints):
    """The server knows neither the cost nor the operations of a run that a test makes up."""
    complaints.allow("status of 404")


def _open(page, workflow_id, query=""):
    page.goto(f"/ui/executions/{workflow_id}{query}")
    page.locator(".sentence").wait_for()


def _go_to(page, part):
    page.get_by_role("navigation", name="Parts of the execution").get_by_role("link", name=part, exact=True).click()
    page.get_by_role("navigation", name="Parts of the execution").locator("[aria-current]", has_text=part).wait_for()


def _says(page, text):
    page.locator(".sentence").filter(has_text=text).wait_for()


def _looks(server, run):
    return sum(request.target.startswith(f"/api/workflow/{run}?") for request in server.requests)


def _tell(page, run, polls=()):
    """Let the page see this run instead of one of the server's."""
    run = {"workflowId": "w", "workflowName": "made_up", "workflowVersion": 1, "status": "RUNNING", "startTime": 1_767_268_800_000, **run}
    tasks = {task["taskId"]: task for task in run.get("tasks", ())}
    page.route("**/api/workflow/w?**", lambda route: route.fulfill(json=run))
    page.route("**/api/tasks/*", lambda route: route.fulfill(json=tasks[route.request.url.rpartition("/")[2]]))
    page.route("**/api/tasks/*/polls?*", lambda route: route.fulfill(json=list(polls)))
    page.route("**/api/tasks/*/log", lambda route: route.fulfill(json=[{"log": HOSTILE, "taskId": "t", "createdTime": 1}]))
    page.route(
        "**/api/workflow/w/operations",
        lambda route: route.fulfill(json=[{"time": 1, "operation": HOSTILE, "reason": HOSTILE, "by": HOSTILE}]),
    )


def test_the_main_job_is_watched_to_its_end_without_a_reload(page, server, pass_time, axe, screenshot):
    run = server.start_main_job("QUEUED", "RUNNING", "SUCCEEDED")
    _open(page, run)
    page.get_by_role("button", name="await_job, HTTP_POLL, in progress, 1 poll").wait_for()
    page.evaluate("window.still = true")
    _says(page, re.compile(r"^Waiting for \S+ at 127\.0\.0\.1: .*1 poll, next look in \d+ s, gives up after 60 polls\.$"))
    assert page.title().startswith("http_poll_external_job: running")
    axe(page)
    screenshot("execution-running")
    pass_time(MINUTE)
    _says(page, "2 polls, next look in")
    pass_time(MINUTE)
    _says(page, re.compile(r"^Finished in 2 min after 3 polls\.$"))
    _go_to(page, "Tasks")
    page.get_by_role("row").filter(has_text="record_artifact").get_by_text("completed").wait_for()
    assert page.evaluate("window.still")
    assert page.title().startswith("http_poll_external_job: completed")


def test_a_run_that_waits_for_long_is_not_asked_for_all_the_time(page, server, pass_time):
    server.register(ASKS)
    run = server.start("asks")
    _open(page, run)
    pass_time(timedelta(hours=1))
    _says(page, "Waiting for somebody to complete ask: for 1 h.")
    asked = _looks(server, run)
    page.clock.run_for(600_000)  # every timer of ten minutes
    assert _looks(server, run) - asked <= 30
    server.api("POST", f"/tasks/{run}/ask/COMPLETED", {})
    server.settle()
    page.clock.run_for(31_000)
    _says(page, "Finished in 1 h")
    asked = _looks(server, run)
    page.clock.run_for(600_000)
    assert _looks(server, run) == asked


def test_a_job_that_failed_says_where_and_why(page, server):
    run = server.start_main_job("RUNNING", "FAILED")
    server.pass_time(MINUTE)
    _open(page, run)
    _says(page, re.compile(r"^Failed after 60 s and 2 polls: .*terminate_job_failed"))


def test_a_task_is_opened_beside_the_list_and_kept_in_the_address(page, server, axe):
    run = server.start_main_job("RUNNING")
    _open(page, run, "?tab=tasks")
    page.get_by_role("link", name="submit_job").click()
    task = page.get_by_role("complementary", name="Task submit_job")
    assert task.get_by_role("heading", name="submit_job").evaluate("it => it === document.activeElement")
    task.get_by_role("region", name="Output").get_by_text('"statusCode": 202').wait_for()
    task.get_by_text("The request as curl").click()
    task.get_by_text("--request POST").wait_for()
    task.get_by_text("JSON", exact=True).click()
    task.get_by_role("region", name="Task").get_by_text('"taskType": "HTTP"').wait_for()
    task.get_by_text("Logs").click()
    task.get_by_text("Nothing was logged.").wait_for()
    axe(page)
    assert page.url.endswith("?tab=tasks&task=submit_job")
    page.reload()
    page.get_by_role("complementary", name="Task submit_job").get_by_role("link", name="Close the task").click()
    page.get_by_role("complementary").wait_for(state="detached")
    assert page.url.endswith(f"{run}?tab=tasks")


def test_a_step_that_the_run_has_not_come_to_is_opened_from_the_graph(page, server, axe, screenshot):
    run = server.start_main_job("RUNNING")
    _open(page, run)
    page.get_by_role("button", name="record_artifact, JSON_JQ_TRANSFORM, not reached").click()
    step = page.get_by_role("complementary", name="Task record_artifact")
    step.get_by_text("The run has not come to it yet.").wait_for()
    step.get_by_role("button", name="Skip").wait_for()
    assert page.url.endswith("?task=record_artifact")
    axe(page)
    screenshot("execution-graph")


def test_polls_are_told_as_a_sentence_a_chart_and_a_table(page, server, pass_time, axe, screenshot):
    run = server.start_main_job("QUEUED", "RUNNING", "RUNNING", "RUNNING", "RUNNING", "SUCCEEDED")
    server.pass_time(3 * MINUTE)
    _open(page, run, "?tab=ledger")
    page.get_by_text("4 polls; answered in").wait_for()
    page.get_by_role("img", name="Chart. 4 polls").wait_for()
    assert page.locator("canvas").evaluate(
        "it => it.getContext('2d').getImageData(0, 0, it.width, it.height).data.some((each) => each > 0)"
    )
    table = page.get_by_role("table", name="Polls of await_job")
    assert table.get_by_role("row").nth(1).get_by_role("cell").first.text_content() == "4"  # the newest is on top
    pass_time(MINUTE)
    page.get_by_text("5 polls; answered in").wait_for()
    page.get_by_text("The request as curl").click()
    page.get_by_text("curl \\").wait_for()
    axe(page)
    screenshot("execution-polls", whole=True)


def test_a_poll_is_copied_as_a_command_without_its_credentials(page):
    page.add_init_script("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    request = {"uri": "https://exports.example/jobs/71", "headers": {"Authorization": "Bearer s3cr3t", "X-Tenant": "o'hara"}}
    task = {"taskId": "t", "taskType": "HTTP_POLL", "referenceTaskName": "await_job", "status": "IN_PROGRESS", "pollCount": 1}
    _tell(page, {"tasks": [{**task, "inputData": {"http_request": request}}]}, [POLL])
    _open(page, "w", "?tab=ledger")
    page.get_by_role("button", name="Copy curl").click()
    copied = page.evaluate("window.copied")
    assert "--header 'Authorization: REDACTED'" in copied
    assert "--header 'X-Tenant: o'\\''hara'" in copied
    assert "s3cr3t" not in copied


def test_a_thousand_tasks_are_found_in_and_looked_through(page, screenshot):
    tasks = [
        {
            "taskId": f"t{each}",
            "taskType": "SIMPLE",
            "referenceTaskName": f"resize_{each}",
            "status": STATUSES[each % len(STATUSES)],
            "scheduledTime": 1_767_268_800_000 + each,
            "startTime": 1_767_268_800_000 + each * 2,
            "endTime": 1_767_268_800_000 + each * 3 + 500 if each % 3 else 0,
            "inputData": {},
        }
        for each in range(1000)
    ]
    _tell(page, {"tasks": tasks})
    _open(page, "w", "?tab=tasks")
    page.get_by_text("100 of 1,000 tasks").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="resize_100", exact=True).wait_for()
    page.get_by_label("Name or type").fill("resize_99")
    page.get_by_text("11 tasks").wait_for()
    page.get_by_label("Status").select_option("FAILED")
    page.get_by_role("link", name="resize_994", exact=True).wait_for()
    _go_to(page, "Timeline")
    lines = page.get_by_role("region", name="Timeline").get_by_role("link")
    lines.first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.title") == "resize_999"
    page.keyboard.press("Enter")
    page.get_by_role("complementary", name="Task resize_999").wait_for()
    assert page.evaluate("document.activeElement.textContent").startswith("resize_999")
    screenshot("execution-thousand")


def test_a_payload_of_five_megabytes_is_told_by_its_size_and_opened_on_demand(page, server):
    server.register(ASKS)
    run = server.start("asks", {"text": "x" * 5_000_000})
    _open(page, run, "?tab=input")
    section = page.get_by_role("region", name="Input", exact=True)
    section.get_by_text("5 MB").wait_for()
    assert section.locator("pre").count() == 0
    section.get_by_role("button", name="Open input").click()
    section.locator("pre").wait_for()
    assert section.locator("pre").evaluate("it => it.textContent.length") > 5_000_000


def test_text_from_outside_is_text_in_every_part(page):
    task = {
        **dict.fromkeys(("referenceTaskName", "taskDefName", "reasonForIncompletion", "workerId", "domain", "subWorkflowId"), HOSTILE),
        "taskId": "t",
        "taskType": HOSTILE,
        "status": "FAILED",
        "inputData": {HOSTILE: HOSTILE},
        "outputData": {HOSTILE: [HOSTILE]},
    }
    poll = {
        **task,
        "taskId": "p",
        "referenceTaskName": "polls",
        "taskType": "HTTP_POLL",
        "inputData": {"uri": f"https://{HOSTILE}/1{HOSTILE}"},
    }
    entry = {**POLL, "decision": HOSTILE, "remoteState": HOSTILE}
    run = {
        **dict.fromkeys(("workflowName", "correlationId", "reasonForIncompletion", "parentWorkflowId"), HOSTILE),
        "input": {HOSTILE: HOSTILE},
        "output": {HOSTILE: HOSTILE},
        "variables": {HOSTILE: HOSTILE},
        "tasks": [task, poll],
        "waitingFor": [
            {"for": party, "name": HOSTILE, "referenceTaskName": HOSTILE, "taskId": "t", "workerId": HOSTILE, "tasks": [HOSTILE]}
            for party in PARTIES
        ],
        "workflowDefinition": {"name": HOSTILE, "version": 1, "tasks": [{"name": HOSTILE, "taskReferenceName": "a", "type": HOSTILE}]},
    }
    _tell(page, run, [entry, {**entry, "poll": 2}])
    _open(page, "w", "?task=t")
    for part in PARTS:
        _go_to(page, part)
        for more in page.locator("summary").all():
            more.click()
        page.get_by_text("<script>").first.wait_for()
        assert page.locator("main img[src], main script").count() == 0
        assert page.title().endswith("Fermata")


@pytest.mark.parametrize("status", ["RUNNING", "PAUSED", "COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED"])
def test_no_status_of_a_run_leaves_a_part_blank(page, status):
    tasks = [{"taskId": each, "taskType": "HTTP_POLL", "referenceTaskName": f"poll_{each}", "status": each} for each in STATUSES]
    waiting = [{"for": party, "taskId": "SCHEDULED", "referenceTaskName": "x"} for party in PARTIES]
    _tell(page, {"status": status, "tasks": tasks, "waitingFor": waiting, "reasonForIncompletion": "why"})
    _open(page, "w")
    assert page.locator(".sentence").text_content().strip()
    for part in PARTS:
        _go_to(page, part)
        assert page.locator(".tabs + *").text_content().strip()


def test_no_task_type_in_no_status_leaves_its_panel_blank(page):
    tasks = [
        {"taskId": f"{kind} {each}", "taskType": kind, "referenceTaskName": f"{kind}_{each}", "status": each}
        for kind in TYPES
        for each in STATUSES
    ]
    _tell(page, {"tasks": tasks})
    _open(page, "w", "?tab=timeline")
    assert page.get_by_role("region", name="Timeline").get_by_role("listitem").count() >= len(tasks)
    _go_to(page, "Graph")  # there is none here, which is quick
    assert page.evaluate(_VISIT, [task["referenceTaskName"] for task in tasks]) == []


# Goes to the address of each task, as a link would, and returns those that show nothing.
_VISIT = """async (references) => {
  const blank = [];
  for (const reference of references) {
    const query = new URLSearchParams(location.search);
    query.set("task", reference);
    history.replaceState(null, "", `${location.pathname}?${query}`);
    dispatchEvent(new PopStateEvent("popstate"));
    await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
    await Promise.resolve();
    if (!document.querySelector("aside h2")?.textContent.startsWith(reference)) blank.push(reference);
  }
  return blank;
}"""


def test_a_run_that_nobody_knows_is_said_to_be_unknown(page):
    page.goto("/ui/executions/nobody")
    page.get_by_role("alert").filter(has_text="No such workflow found by id: nobody").wait_for()


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 390, "height": 844}}])
def test_a_phone_shows_it_without_scrolling_sideways(page, server, screenshot):
    run = server.start_main_job("QUEUED", "RUNNING", "RUNNING")
    server.pass_time(2 * MINUTE)
    _open(page, run, "?task=await_job")
    for part in PARTS:
        _go_to(page, part)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        screenshot(f"execution-phone-{part.partition(' ')[0].lower()}")


def test_its_correlation_id_leads_to_those_that_share_it(page, server):
    server.register(ASKS)
    same = {"name": "asks", "correlationId": 'order 7 "it\'s" & more'}
    runs = [server.api("POST", "/workflow", same), server.api("POST", "/workflow", same)]
    server.start("asks")
    _open(page, runs[0])
    page.get_by_role("link", name="order 7").click()
    page.get_by_text("2 executions").wait_for()
    assert page.get_by_label("Correlation id").input_value() == same["correlationId"]
