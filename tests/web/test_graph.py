"""The task graph in the browser: drawn, walked with the keyboard, read as a list, and never run by what a name says."""

import re

import pytest

HOSTILE = "<img src=x onerror=alert(1)>"


def step(name, kind="SIMPLE", **more):
    return {"name": name, "taskReferenceName": name, "type": kind, **more}


def choice(name, cases):
    return step(name, "SWITCH", evaluatorType="value-param", expression="kind", inputParameters={"kind": "eu"}, decisionCases=cases)


SHIPPING = {
    "name": "shipping",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [
        choice("by_region", {"eu": [step("eu_tax"), step("eu_check")], HOSTILE: [step("other_tax")]}),
        step("split", "FORK_JOIN", forkTasks=[[step("pick")], [step("call_carrier")]]),
        step("joined", "JOIN", joinOn=["pick", "call_carrier"]),
        step("attempts", "DO_WHILE", loopCondition="false", loopOver=[step("try_it")]),
    ],
}


def node(page, name):
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}, "))


def focused(page, name):
    page.wait_for_function("name => document.activeElement.ariaLabel?.split(',')[0] === name", arg=name)


@pytest.fixture
def drawn(page, server):
    server.register(SHIPPING)
    page.goto("/ui/definitions/shipping")
    node(page, "by_region").wait_for()
    return page


def test_each_task_of_a_definition_is_a_button_in_reading_order(drawn, axe):
    names = [label.split(",")[0] for label in drawn.locator(".graph [role=button]").evaluate_all("all => all.map(one => one.ariaLabel)")]
    assert names == ["by_region", "eu_tax", "eu_check", "other_tax", "split", "pick", "call_carrier", "joined", "attempts", "try_it"]
    drawn.get_by_text(HOSTILE[:12]).first.wait_for(state="attached")
    axe(drawn)


def test_arrow_keys_follow_the_edges(drawn):
    node(drawn, "by_region").focus()
    walk = "Down eu_tax, Right other_tax, Up by_region, Down eu_tax, Down eu_check, Down split, Down pick, Right call_carrier, Down joined"
    for key, name in (each.split() for each in walk.split(", ")):
        drawn.keyboard.press(f"Arrow{key}")
        focused(drawn, name)


def test_the_same_is_there_as_a_list(drawn, axe):
    drawn.get_by_role("button", name="Show as list").click()
    drawn.get_by_text("Case eu").wait_for()
    assert drawn.get_by_role("listitem").filter(has=drawn.get_by_role("button", name="try_it")).count() == 2  # it stands in the loop
    axe(drawn)


def test_it_is_moved_by_hand_wheel_and_buttons(drawn):
    def scale():
        return float(re.search(r"scale\(([\d.]+)\)", drawn.locator(".graph-drawing > g").get_attribute("transform"))[1])

    drawn.get_by_role("button", name="Fit").click()
    whole = scale()
    drawn.get_by_role("button", name="Zoom in").click()
    assert scale() == pytest.approx(whole * 1.3)
    node(drawn, "split").hover()
    drawn.keyboard.down("Control")
    drawn.mouse.wheel(0, -100)
    drawn.wait_for_function(f"document.querySelector('.graph-drawing > g').transform.baseVal.consolidate().matrix.a > {whole * 1.31}")


def test_of_a_long_graph_only_what_is_in_view_is_drawn(page, server):
    tasks = [
        each for n in range(40) for each in (choice(f"s{n}", {"eu": [step(f"a{n}")], "us": [step(f"b{n}"), step(f"c{n}")]}), step(f"t{n}"))
    ]
    server.register({"name": "long", "version": 1, "schemaVersion": 2, "tasks": tasks})
    page.goto("/ui/definitions/long")
    node(page, "s0").wait_for()
    assert page.locator(".graph .node").count() < 60
    node(page, "t0").focus()
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    focused(page, "t2")


def test_many_branches_are_one_node_until_it_is_opened(page, server):
    server.register(
        {"name": "wide", "version": 1, "schemaVersion": 2, "tasks": [choice("pick", {f"case{n}": [step(f"in{n}")] for n in range(30)})]}
    )
    page.goto("/ui/definitions/wide")
    group = page.get_by_role("button", name="31 cases")
    group.wait_for()
    assert node(page, "in7").count() == 0
    group.click()
    node(page, "in7").wait_for(state="attached")
    assert group.get_attribute("aria-expanded") == "true"
