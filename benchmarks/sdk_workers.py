"""`python -m benchmarks.sdk_workers URL NAME...`: the official SDK's workers, one process for each task name, until they are stopped."""

import sys

from conductor.client.automator.task_handler import TaskHandler
from conductor.client.configuration.configuration import Configuration
from conductor.client.worker.worker import Worker

THREADS = 10


def pass_on(count: int) -> dict[str, int]:
    return {"count": count + 1}


def main() -> None:
    url, *names = sys.argv[1:]
    configuration = Configuration(server_api_url=url)
    workers = [Worker(name, pass_on, thread_count=THREADS) for name in names]
    with TaskHandler(workers, configuration, scan_for_annotated_workers=False) as handler:
        handler.start_processes()
        handler.join_processes()


if __name__ == "__main__":
    main()
