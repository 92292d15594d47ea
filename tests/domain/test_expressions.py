"""`${...}` as Conductor resolves it: one row per rule."""

import subprocess
import sys

import pytest
from fermata.domain.expressions import Scope, references, resolve

WORKFLOW = {
    "workflowId": "w-1",
    "input": {
        "x": 5,
        "half": 1.5,
        "yes": True,
        "nothing": None,
        "text": "hello",
        "key": "x",
        "object": {"p": 1, "q": [1, 2]},
        "letters": ["a", "b"],
        "nums": [1, 2, 3],
        "list": [{"k": "a", "id": 1}, {"k": "b", "id": 2}],
        "dash-key": "dash",
        "dot.key": "dot",
        "it's": "quote",
        "späß": "umlaut",
        "template": "${workflow.input.x}",
        "escaped": "$${workflow.input.x}",
        "big": 12345678.0,
        "deep": {"list": [{"k": "c", "more": {"k": "d"}}]},
        "wanted": 2,
    },
}
TASK = {"output": {"2": {"step": {"x": "second"}}, "response": {"body": {"jobId": "j-7"}}}, "status": "COMPLETED", "iteration": 3}
DOCUMENTS = {"workflow": WORKFLOW, "await_job": TASK}
SCOPE = Scope(roots=DOCUMENTS.get)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("${workflow.input.x}", 5),
        ("v=${workflow.input.x}", "v=5"),
        ("${workflow.input.half}", 1.5),
        ("${workflow.input.yes}", True),
        ("${workflow.input.object}", {"p": 1, "q": [1, 2]}),
        ("${workflow.input.letters}", ["a", "b"]),
        ("${workflow.workflowId}", "w-1"),
        ("${await_job.output.response.body.jobId}", "j-7"),
        ("${await_job.iteration}", 3),
        ("${$.workflow.input.x}", 5),
        ("${workflow}", WORKFLOW),
    ],
)
def test_a_string_that_is_one_expression_becomes_the_value_with_its_type(template, expected):
    assert resolve(template, SCOPE) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a ${workflow.input.text} b ${workflow.input.x}", "a hello b 5"),
        ("${workflow.input.x}${workflow.input.x}", "55"),
        ("v=${workflow.input.yes}", "v=true"),
        ("v=${workflow.input.half}", "v=1.5"),
        ("v=${workflow.input.big}", "v=12345678.0"),
        ("v=${workflow.input.object}", 'v={"p":1,"q":[1,2]}'),
        ("v=${workflow.input.letters}", 'v=["a","b"]'),
        ("v=${workflow.input.list[*].k}", 'v=["a","b"]'),
        ("${workflow.input.x}}", "5}"),
        ("{${workflow.input.x}}", "{5}"),
        ("${workflow.input.x}\n", "5\n"),
    ],
)
def test_in_text_a_value_is_written_as_text_and_objects_and_lists_as_json(template, expected):
    assert resolve(template, SCOPE) == expected


@pytest.mark.parametrize(
    "path",
    [
        "workflow.input.missing",
        "workflow.input.missing.deeper[3].still",
        "workflow.input.nothing",
        "workflow.input.text.length",
        "workflow.input.letters[7]",
        "workflow.input.letters[-3]",
        "workflow.input.object[0]",
        "unknown.output.x",
        "await_job__2.output",
        " workflow.input.x ",
        "workflow.input.x + 1",
        "workflow.input.",
        "workflow..",
        "workflow.input[",
        "workflow.input.list[?(@.id==]",
        "workflow.input.list[?(@.id=~/(a+)+$/)]",
        "workflow.input.text()",
        "@.x",
        "$",
        "*",
        "workflow.input.list[99999999999999999999]",
    ],
)
def test_what_is_missing_or_unreadable_is_null_and_in_text_the_word_null(path):
    assert resolve("${" + path + "}", SCOPE) is None
    assert resolve("v=${" + path + "}", SCOPE) == "v=null"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("$${workflow.input.x}", "${workflow.input.x}"),
        ("a $${b} ${workflow.input.x}", "a ${b} 5"),
        ("$$${workflow.input.x}", "$${workflow.input.x}"),
        ("$${a ${workflow.input.x}}", "${a 5}"),
        ("${}", ""),
        ("x${ }y", "xy"),
        ("${\n}", ""),
        ("${workflow.input.x", "${workflow.input.x"),
        ("${a ${workflow.input.x}", "${a 5"),
        ("}${workflow.input.x}", "}5"),
        ("$ {workflow.input.x}", "$ {workflow.input.x}"),
        ("cost: $5", "cost: $5"),
        ("${workflow.input.template}", "${workflow.input.x}"),
        ("v=${workflow.input.template}", "v=${workflow.input.x}"),
        ("${workflow.input.escaped}", "$${workflow.input.x}"),
        ("v=${workflow.input.escaped}", "v=${workflow.input.x}"),
    ],
)
def test_escapes_blanks_unbalanced_braces_and_substituted_text(template, expected):
    assert resolve(template, SCOPE) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("${workflow.input.${workflow.input.key}}", 5),
        ("v=${workflow.input.${workflow.input.key}}", "v=5"),
        ("${workflow.input.letters[${workflow.variables}]}", None),
        ("${workflow.input.list[?(@.id==${workflow.input.wanted})].k}", ["b"]),
        ("${workflow.${workflow.input.${workflow.input.missing}}}", None),
        ("${${workflow.input.missing}}", None),
    ],
)
def test_an_inner_expression_is_resolved_first_and_becomes_text(template, expected):
    assert resolve(template, SCOPE) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("list[0].k", "a"),
        ("list[-1].k", "b"),
        ("list[0,1].id", [1, 2]),
        ("letters[0:1]", ["a"]),
        ("letters[-1:]", ["b"]),
        ("list[*].k", ["a", "b"]),
        ("list.*.k", ["a", "b"]),
        ("deep..k", ["c", "d"]),
        ("deep.list[*]..k", ["c", "d"]),
        ("list[?(@.id==2)]", [{"k": "b", "id": 2}]),
        ("list[?(@.k=='b')].id", [2]),
        ('list[?(@.k=="b" && @.id > 1)].id', [2]),
        ("list[?(@.k=~/[ab]/)].id", [1, 2]),
        ("list[?(@.k=~/B/i)].id", [2]),
        ("list[?(@.id==$.workflow.input.wanted)].k", ["b"]),
        ("list[?(@['k']=='b')]['id']", [2]),
        ("list[?(@.k in ['b', 'c'])].id", [2]),
        ("list[?(@.k==']')].id", []),
        ("missing[*].k", []),
        ("missing..k", []),
        ("list[?(@.id==3)]", []),
        ("list.length()", 2),
        ("object.length()", 2),
        ("list[*].length()", 2),
        ("text.length()", None),
        ("missing.length()", None),
        ("nums.sum()", 6.0),
        ("nums.min()", 1.0),
        ("nums.max()", 3.0),
        ("nums.avg()", 2.0),
        ("list[*].id.sum()", 3.0),
        ("letters.sum()", None),
        ("text.sum()", None),
        ("object.keys()", ["p", "q"]),
        ("letters.first()", "a"),
        ("letters.last()", "b"),
        ("list.first().k", "a"),
        ("['dash-key']", "dash"),
        ("dash-key", "dash"),
        ("['dot.key']", "dot"),
        ('["dot.key"]', "dot"),
        ("['it\\'s']", "quote"),
        ("späß", "umlaut"),
        ("object['p','z']", {"p": 1}),
        ("list[*]['k','id']", ["a", 1, "b", 2]),
    ],
)
def test_paths(path, expected):
    expression = "${workflow.input" + (path if path.startswith("[") else "." + path) + "}"
    assert resolve(expression, SCOPE) == expected


@pytest.mark.parametrize("path", ["await_job.output.2.step.x", "await_job.output['2'].step.x", "await_job['output'].2.step.x"])
def test_an_older_iteration_is_read_by_number_or_quoted_number(path):
    assert resolve("${" + path + "}", SCOPE) == "second"


def test_sums_are_doubles():
    assert isinstance(resolve("${workflow.input.nums.sum()}", SCOPE), float)
    assert resolve("v=${workflow.input.nums.sum()}", SCOPE) == "v=6.0"


def test_objects_and_lists_are_walked_and_keys_and_other_values_are_copied():
    template = {"a": ["${workflow.input.x}", {"b": "n=${workflow.input.x}"}], "${workflow.input.x}": 1, "c": None, "d": True}

    assert resolve(template, SCOPE) == {"a": [5, {"b": "n=5"}], "${workflow.input.x}": 1, "c": None, "d": True}
    assert list(resolve(template, SCOPE)) == list(template)


def test_only_mentioned_roots_are_asked_for():
    asked = []

    def roots(name):
        asked.append(name)
        return DOCUMENTS.get(name)

    resolve(["${await_job.status}", "$${other.output}", "${}", "${ bad }", "plain"], Scope(roots=roots))
    assert asked == ["await_job"]


@pytest.mark.parametrize("template", ["${job.output}", "${workflow.input.list[?(@.id==$.job.id)]}", "v=${job..k}"])
@pytest.mark.parametrize("error", [KeyError("load"), RecursionError(), ValueError()])
def test_what_the_lookup_raises_passes_through(template, error):
    def roots(name):
        if name == "job":
            raise error
        return DOCUMENTS.get(name)

    with pytest.raises(type(error)) as caught:
        resolve(template, Scope(roots=roots))
    assert caught.value is error


def test_the_own_task_id_is_filled_in_when_it_is_known():
    assert resolve("${CPEWF_TASK_ID}", Scope(roots=DOCUMENTS.get, own_task_id="t-1")) == "t-1"
    assert resolve("id=${CPEWF_TASK_ID}", Scope(roots=DOCUMENTS.get, own_task_id="t-1")) == "id=t-1"


def test_an_unknown_own_task_id_leaves_the_literal():
    assert resolve("${CPEWF_TASK_ID}", SCOPE) == "${CPEWF_TASK_ID}"
    assert resolve("id=${CPEWF_TASK_ID} ${workflow.input.x}", SCOPE) == "id=${CPEWF_TASK_ID} 5"


def test_environment_names_come_only_from_the_allow_list(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "leak")
    monkeypatch.setenv("CONDUCTOR_ENV_STAGE", "leak")
    scope = Scope(roots=DOCUMENTS.get, environment={"STAGE": "prod", "LIMITS": '{"max": [7]}', "BAD": "{"})

    assert resolve("${STAGE}", scope) == "prod"
    assert resolve("${workflow.env.STAGE}", scope) == "prod"
    assert resolve("on ${workflow.env.STAGE}", scope) == "on prod"
    assert resolve("${workflow.env.LIMITS.max[0]}", scope) == 7
    assert resolve("${workflow.env.BAD.max}", scope) is None
    for name in ("AWS_SECRET_ACCESS_KEY", "workflow.env.AWS_SECRET_ACCESS_KEY", "workflow.env.OTHER", "PATH", "workflow.env."):
        assert resolve("${" + name + "}", scope) is None


def test_references_are_the_roots_mentioned_anywhere():
    template = {
        "a": "${one.output.x} and ${two['output']}",
        "b": ["${workflow.input.${three.output.key}}", "${$.four.output}", "${five.${six.output}.x}", "${${seven.output}.x}"],
        "c": "$${eight.output} ${} ${CPEWF_TASK_ID} ${workflow.secrets.NINE} ${ ten.output }",
        "d": "${eleven.output.list[?(@.id == $.twelve.output.id)]}",
        "${thirteen.output}": 1,
    }
    names = {"one", "two", "workflow", "three", "four", "five", "six", "seven", "eleven", "twelve"}
    assert references(template) == names


def test_simple_paths_do_not_pay_for_the_jsonpath_library():
    program = (
        "import sys; from fermata.domain.expressions import Scope, resolve\n"
        "assert resolve('${a.b[0].length()}', Scope(roots=lambda _: {'b': [[1]]})) == 1\n"
        "assert 'jsonpath' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": ":".join(sys.path)})
