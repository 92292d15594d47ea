"""The keys of a configuration: those we carry out, and those Air Pipe knows and we do not. Everything else is a mistake."""

TOP = frozenset({"name", "interfaces", "docs", "version", "description", "global"})
TOP_NOT_RUN = frozenset({"expose_metrics", "network", "mcp_servers"})

GLOBAL = frozenset({"variables"})
GLOBAL_NOT_RUN = frozenset({"secrets", "databases", "templates", "http", "google_credentials", "aws_credentials"})

DOCUMENTATION = ("summary", "description", "tags", "notes", "request_example", "response_example")
INTERFACE = frozenset({"route", "output", "method", "actions", "defaults", "assert", "response", *DOCUMENTATION})
INTERFACE_NOT_RUN = frozenset(
    [
        "schedule",
        "params",
        "templates",
        "log",
        "show_error_detail",
        "silence",
        "network",
        "mcp",
        "ws",
        "mqtt",
        "public",
        "subscribe_authorizer",
        "disable_fastpath",
    ]
)
RESPONSE = frozenset({"http_code_on_error", "http_code_inherit_error", "http_code_fallback", "http_code_fallback_strategy", "headers"})
RESPONSE_NOT_RUN = frozenset({"custom_body", "logs"})  # what the first shows of a failure is nowhere said; the second writes to a database

SOURCES = ("http", "state", "json_output", "input", "delay")
SOURCES_NOT_RUN = frozenset(
    [
        "database",
        "query",
        "document_operation",
        "command",
        "email",
        "lookup",
        "actions",
        "discover",
        "emit_metric",
        "ws_publish",
        "mqtt_publish",
        "google",
        "aws",
    ]
)
GATES = ("run_when_succeeded", "run_when_failed", "run_when_finished", "depends_on")
HIDING = ("hide_data_on_success", "hide_data_on_error", "hide_data_on_empty", "hide_action", "hide_errors")
RESPONSES = ("response_on_success", "response_on_error")
ACTION_TEXTS = frozenset({"name", "description", "notes", "summary"})  # for people, and no templates
ACTION = frozenset(
    {*ACTION_TEXTS, *SOURCES, *GATES, *HIDING, *RESPONSES, "run_on_assertion", "assert", "post_transforms", "retry", "timeout"}
)
ACTION_NOT_RUN = SOURCES_NOT_RUN | frozenset(
    [
        "input_fallbacks",
        "conditional_input",
        "pre_log",
        "post_log",
        "success_log",
        "error_log",
        "retry_log",
        "lookup_partition",
        "lookup_concurrency",
        "item_timeout",
        "params",
        "expect_exit",
    ]
)

HTTP = frozenset({"url", "method", "headers", "body", "expect_status", "timeout", "connect_timeout", "idempotency"})
HTTP_NOT_RUN = frozenset(
    [
        "user",
        "pass",
        "bearer_auth",
        "digest_auth",
        "multipart",
        "pagination",
        "proxy",
        "proxy_user",
        "proxy_pass",
        "tls",
        "data_type",
        "base64_bytes",
    ]
)
IDEMPOTENCY = frozenset({"key", "header"})
STATE_FIELDS = {
    "get": frozenset({"namespace", "key", "default"}),
    "set": frozenset({"namespace", "key", "value", "ttl", "expected_version"}),
    "advance": frozenset({"namespace", "key", "value", "ttl"}),
    "delete": frozenset({"namespace", "key"}),
    "seen": frozenset({"namespace", "key", "id", "ttl"}),
}
GATE = frozenset({"actions", "at_least", "http_code_on_error"})
RESPONSE_ON = frozenset({"http_code", "headers", "body"})
ASSERT = frozenset({"tests", "http_code_on_error", "http_code_on_success", "error_message", "success_message"})
SUBJECTS = frozenset({"value", "jq", "pointer", "action", "custom_value"})
TEST = SUBJECTS | frozenset({"name", "description", "error_message", "http_code_on_error", "hide_errors", "case_insensitive", "data_type"})
TEST_NOT_RUN = frozenset({"success_message", "http_response", "result_key", "action_value"})
RETRY = frozenset(["attempts", "delay", "exponential_backoff", "max_delay", "jitter", "respect_retry_after", "on", "except"])
TRANSFORMS_NOT_RUN = frozenset(
    [
        "extract_array",
        "extract_with_json_path",
        "extract_with_regex",
        "rename_attributes",
        "move_attributes",
        "rename_keys",
        "remove_keys",
        "return_row",
        "numerics",
        "group_by",
        "filter",
        "aggregate",
        "math",
        "flatten",
        "replace_values",
        "nested_transforms",
        "generate_slug",
        "generate_password",
        "generate_bytes",
        "bcrypt",
        "add_jwt",
        "read_jwt",
        "hmac",
        "encrypt_value",
        "decrypt_value",
        "s3_generate_presigned_url",
    ]
)
