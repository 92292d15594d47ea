"""Nobody opens a deployment by accident: what is not said, or misspelt, is closed."""

import pytest
from fermata import bootstrap
from fermata.domain.access import Authorization
from fermata.settings import read


def test_without_a_word_callers_must_sign() -> None:
    assert bootstrap._authorization(read({})) is Authorization.AWS_IAM


@pytest.mark.parametrize("word", ["", "none", "NONE ", "KEY", "OPEN"])
def test_a_word_that_is_none_of_the_three_starts_nothing(word: str) -> None:
    with pytest.raises(ValueError, match="FERMATA_API_AUTHORIZATION must be one of NONE, AWS_IAM, KEYS"):
        bootstrap._authorization(read({"FERMATA_API_AUTHORIZATION": word}))


@pytest.mark.parametrize("secrets", ["/", "/fermata-signing/", "/fermata-signing/fermata/"])
def test_what_signs_tokens_is_no_secret_that_a_definition_could_name(secrets: str) -> None:
    with pytest.raises(ValueError, match="must not hold FERMATA_SIGNING_KEYS_PATH"):
        read({"FERMATA_SECRETS_PATH": secrets})
