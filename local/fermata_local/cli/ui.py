"""`fermata ui`: the web UI in front of any server, with the credentials that the command line has."""

import os
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from fermata_local.cli.conductor import Conductor, Refused, Unreachable
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Verb

if TYPE_CHECKING:
    from fermata_local.lambda_events import GatewayAnswer, GatewayRequest
    from fermata_local.ui import HandOn

DEFAULT_PORT = 8090
SECRET_BYTES = 24


@click.command(
    cls=Verb,
    examples=(
        "fermata ui",
        "fermata --server https://a1b2c3.execute-api.eu-west-1.amazonaws.com/api ui --open",
        "fermata --profile prod ui --port 8091",
    ),
)
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open it in a browser.")
@connected
def ui(server: Conductor, port: int, *, opens: bool) -> None:
    """Look at a server in a browser, with your credentials.

    A browser cannot sign requests, which a stack with ApiAuthorization=AWS_IAM asks for. This serves the pages on 127.0.0.1 and hands on
    what they ask of the API, signed with your AWS credentials, or with the token of your key. It answers the browser that opens
    the printed address, and nobody else.
    """
    from fermata.domain.access import Authorization
    from fermata.web.door import create

    from fermata_local import checkout
    from fermata_local import server as local_server
    from fermata_local.ui import Front

    pages = create(checkout.door_path("web").parent / "assets", Authorization.NONE)  # the pages themselves have nothing to show
    secret = secrets.token_urlsafe(SECRET_BYTES)

    def answer(request: "GatewayRequest") -> "GatewayAnswer":
        return front(request)  # who knows his port when there is one

    try:
        listening = local_server.listen(local_server.HOST, port, answer, again="fermata ui --port {port}")
    except local_server.PortTaken as error:
        raise click.ClickException(str(error)) from error
    front = Front(pages, handing_on(server), listening.port, secret)
    click.echo(f"The web UI of {server.shown_url}, for you alone (stop it with Ctrl-C):", err=True)
    click.echo(front.address)
    if opens:
        click.launch(front.address)
    listening.serve_forever()  # werkzeug returns from it at Ctrl-C
    click.echo("Stopped.", err=True)
    os._exit(0)  # at once: a server that does not answer could hold up an orderly end


def handing_on(server: Conductor) -> "HandOn":
    """Return what asks this server, and says in its words when there is no answer."""
    from fermata_local.lambda_events import GatewayAnswer, refusal

    def hand_on(method: str, path: str, headers: Mapping[str, str], body: bytes) -> "GatewayAnswer":
        try:
            answer = server.hand_on(method, path, headers, body)
        except Refused as error:
            return refusal(error.status, error.message)
        except Unreachable as error:
            return refusal(502, error.message)
        return GatewayAnswer(answer.status_code, dict(answer.headers), answer.content)

    return hand_on
