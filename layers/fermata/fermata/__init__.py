"""Fermata: runs Conductor workflow definitions on Lambda, DynamoDB and EventBridge Scheduler."""
