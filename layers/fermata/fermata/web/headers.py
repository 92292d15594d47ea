"""What every answer tells a browser to refuse."""

from collections.abc import Mapping

# Scripts and styles come from files of this origin and from nowhere else, and no text becomes HTML or script by itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)

SAFE: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

# Only to those who came by TLS: a laptop's server has none, and a browser would not believe it without.
BY_TLS_ONLY: Mapping[str, str] = {"Strict-Transport-Security": "max-age=31536000"}
