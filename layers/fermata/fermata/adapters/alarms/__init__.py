"""Alarms by SQS and EventBridge Scheduler: messages for one moment, and those that recur."""
