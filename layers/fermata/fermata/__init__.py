"""Fermata: runs Conductor workflow definitions on Lambda, DynamoDB and EventBridge Scheduler."""

VERSION = "0.1.0"  # a test holds it to pyproject.toml, which Lambda does not have
