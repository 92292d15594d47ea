"""The AWS account and region that the local cloud plays. Both are moto's own."""

ACCOUNT = "123456789012"
REGION = "us-east-1"
