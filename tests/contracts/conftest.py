"""The implementations each contract suite runs on."""

from dataclasses import dataclass

import pytest
from fermata.adapters.memory.definitions import MemoryDefinitions
from fermata.adapters.memory.due_index import MemoryDueIndex
from fermata.adapters.memory.executions import MemoryExecutions
from fermata.adapters.memory.polls import MemoryPolls
from fermata.ports import Definitions, DueIndex, Executions, Polls


@dataclass(frozen=True)
class Store:
    executions: Executions
    polls: Polls
    due: DueIndex
    definitions: Definitions


def memory_store():
    due = MemoryDueIndex()
    return Store(MemoryExecutions(due), MemoryPolls(due), due, MemoryDefinitions())


@pytest.fixture(params=["memory"])
def store(request):
    return memory_store()


@pytest.fixture(params=["memory"])
def racing_store(request):
    return memory_store()
