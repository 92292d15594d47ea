"""Where each thing lives: the partition and row keys, and the shards of the sharded indexes.

W#<workflow id>   W               the run            O#<task id>  an outcome       T#<task id>  a task attempt
W#<workflow id>   V#<host>        a further host that the run asks
W#<workflow id>   B#<task id>     a worker's row       G#<task id>#<epoch ms>#<hash>  a log entry
W#<workflow id>   J#<key>         what somebody did to the run
Q                 <queue>         a workers' queue and its last poll
A                 <key id>        an access key: role and hashed secret
N#<task name>     N               what limits let through
P#<task id>       A#hot  A#spec   a poll's two halves, read together               L#<poll>     packed ledger entries
D#<name>          <version>       a workflow definition
K#<name>          K               a task definition
C                 W#..  T#..      the catalogue: names of all definitions
S#<hash>          S               a definition snapshot
I#<hash>          I               who holds an idempotency key of starts
H                 <name>          an event handler
E#<hash>          <name>          the name of a handler of that event
X#<hash>          <index>         what came of an action of a handler for one message
Y#<len>#<ns>#<key>  Y             a record of an Air Pipe `state` action
Z                 <name>          a schedule             Z#<name>  <epoch ms>#<cron>  the record of one of its starts
"""

import zlib
from collections.abc import Mapping
from typing import Any, TypeAlias

from fermata.domain.ids import content_hash

Key: TypeAlias = Mapping[str, Any]

# The sweeper reads every shard every minute; 8 keep one index partition's 1,000 writes a second off the commit path.
DUE_SHARDS = 8
# Of a status, and of a type and status. Each takes 1,000 starts or status changes a second; top-level runs have their own, so that
# a search for them does not read past their children.
TOP_LEVEL_SHARDS, CHILD_SHARDS = (0, 1), (2, 3)
ALL_SHARDS = TOP_LEVEL_SHARDS + CHILD_SHARDS
ANY_STATUS = "*"
LAST_ID = "~"  # sorts after every id
LONGEST_IN_KEY = 1000  # bytes; DynamoDB takes 2048
# Each takes 1,000 attempts a second of one workers' queue; a worker that finds nothing reads them all.
QUEUE_SHARDS = 4
ACCESS_KEYS = "A"
RUN_ROW = "W"
OPERATIONS = "J#"
HOT_ROW = "A#hot"
SPEC_ROW = "A#spec"
POLL_HALVES = "A#"
CATALOGUE = "C"
SCHEDULES = "Z"
QUEUES = "Q"
HANDLERS = "H"


def key(pk: str, sk: str) -> Key:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def access_key(key_id: str) -> Key:
    return key(ACCESS_KEYS, key_id)


def state_record(namespace: str, name: str) -> Key:
    return key(f"Y#{len(namespace)}#{namespace}#{name}", "Y")


def run_partition(workflow_id: str) -> str:
    return f"W#{workflow_id}"


def poll_partition(task_id: str) -> str:
    return f"P#{task_id}"


def run(workflow_id: str) -> Key:
    return key(run_partition(workflow_id), RUN_ROW)


def task(workflow_id: str, task_id: str) -> Key:
    return key(run_partition(workflow_id), f"T#{task_id}")


def outcome(workflow_id: str, task_id: str) -> Key:
    return key(run_partition(workflow_id), f"O#{task_id}")


def work(workflow_id: str, task_id: str) -> Key:
    return key(run_partition(workflow_id), f"B#{task_id}")


def operation(workflow_id: str, name: str) -> Key:
    return key(run_partition(workflow_id), f"{OPERATIONS}{name}")


def further_host(workflow_id: str, host: str) -> Key:
    return key(run_partition(workflow_id), f"V#{host}")


def host_partition(host: str, status: str, shard: int) -> str:
    """Return where runs stand by a host: by the first one that they asked with their status, by further ones with `ANY_STATUS`."""
    return f"{host}#{status}#{shard}"


def logs(task_id: str) -> str:
    return f"G#{task_id}#"


def log(workflow_id: str, task_id: str, epoch_milliseconds: int, content_hash: str) -> Key:
    return key(run_partition(workflow_id), f"{logs(task_id)}{epoch_milliseconds:015d}#{content_hash}")


def worker_queue(queue: str) -> Key:
    return key(QUEUES, queue)


def limiter(task_name: str) -> Key:
    return key(f"N#{task_name}", "N")


def hot(task_id: str) -> Key:
    return key(poll_partition(task_id), HOT_ROW)


def spec(task_id: str) -> Key:
    return key(poll_partition(task_id), SPEC_ROW)


def pack(task_id: str, first_poll: int) -> Key:
    return key(poll_partition(task_id), f"L#{first_poll:010d}")


def definition(name: str, version: int) -> Key:
    return key(f"D#{name}", f"{version:010d}")


def task_definition(name: str) -> Key:
    return key(f"K#{name}", "K")


def snapshot(content_hash: str) -> Key:
    return key(f"S#{content_hash}", "S")


def start_key(content_hash: str) -> Key:
    return key(f"I#{content_hash}", "I")


def event_handler(name: str) -> Key:
    return key(HANDLERS, name)


def handler_of_event(event: str, name: str) -> Key:
    return key(f"E#{content_hash(event.encode())}", name)


def event_execution(message_hash: str, index: int) -> Key:
    return key(f"X#{message_hash}", f"{index:04d}")


def executions_of_event(event: str) -> str:
    """Return where an event's executions stand in the index `queue`. No workers' queue stands there: those end in the number of a shard."""
    return f"event#{content_hash(event.encode())}"


def schedule(name: str) -> Key:
    return key(SCHEDULES, name)


def schedule_starts(name: str) -> str:
    return f"{SCHEDULES}#{name}"


def schedule_start(name: str, epoch_milliseconds: int, entry: int) -> Key:
    return key(schedule_starts(name), f"{epoch_milliseconds:015d}#{entry:04d}")


def identity(item: Key) -> tuple[str, str]:
    """Return the key of an item as something to compare and look up by."""
    return item["pk"]["S"], item["sk"]["S"]


def due_shard(workflow_id: str) -> str:
    return f"due#{zlib.crc32(workflow_id.encode()) % DUE_SHARDS}"


def queue_shard(queue: str, shard: int) -> str:
    return f"{queue}#{shard}"


def queue_shard_of(queue: str, task_id: str) -> str:
    return queue_shard(queue, zlib.crc32(task_id.encode()) % QUEUE_SHARDS)


def search_shard(workflow_id: str, parent_workflow_id: str | None) -> int:
    shards = CHILD_SHARDS if parent_workflow_id else TOP_LEVEL_SHARDS
    return shards[zlib.crc32(workflow_id.encode()) % len(shards)]


def status_partition(status: str, shard: int) -> str:
    return f"{status}#{shard}"


def type_partition(workflow_type: str, status: str, shard: int) -> str:
    return f"{workflow_type}#{status}#{shard}"


def can_be_in_key(name: str) -> bool:
    """Tell whether a name or an id could have been stored under. What nobody could store, nobody finds: DynamoDB refuses to look for it."""
    return 0 < len(name.encode(errors="replace")) <= LONGEST_IN_KEY


def correlation_partition(correlation_id: str) -> str:
    """Return the id, or its hash where it is longer than a key may be."""
    return correlation_id if can_be_in_key(correlation_id) else content_hash(correlation_id.encode(errors="replace"))


def search_place(epoch_milliseconds: int, workflow_id: str) -> str:
    """Return where a run stands among others: by its start, then by its id."""
    return f"{epoch_milliseconds:015d}#{workflow_id}"


def search_start(place: str) -> tuple[int, str]:
    """Return what `search_place` was given."""
    start, _, workflow_id = place.partition("#")
    return int(start), workflow_id


def search_moment(place: str) -> int:
    return int(place.partition("#")[0])
