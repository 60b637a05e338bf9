import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import DataError
from paragauge.metrics import Signature

names = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@given(names, st.dictionaries(names, st.text(alphabet=st.characters(exclude_categories=["Cs"]))))
def test_signature_parses_back_to_itself(metric, items):
    signature = Signature.of(metric, items)
    assert Signature.parse(str(signature)) == signature
    assert len(str(signature).splitlines()) == 1


def test_signature_prints_in_order_and_keeps_colons_in_values():
    signature = Signature.of("paraeval", {"nrefs": 4, "table": "sha256:3f9c21", "version": "0.3.0"})
    assert str(signature) == "paraeval|nrefs:4|table:sha256:3f9c21|version:0.3.0"
    assert signature.get("table") == "sha256:3f9c21"
    assert signature.get("lm") is None


def test_extended_signature_keeps_the_version_last():
    signature = Signature.of("bleu", {"tok": "13a", "version": "1"}).extended({"bs": 1000, "seed": 7})
    assert str(signature) == "bleu|tok:13a|bs:1000|seed:7|version:1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bleu|tok", "'tok' in signature 'bleu|tok' is not of the form key:value"),
        ("", "'' is not valid in a signature"),
        ("bleu|Tok:13a", "'Tok' is not valid in a signature"),
        ("bleu|a:1|a:2", "has a key twice"),
    ],
)
def test_bad_signature_says_what_is_wrong(text, message):
    with pytest.raises(DataError, match=message.replace("|", r"\|")):
        Signature.parse(text)
