"""Snapshots and profiles survive becoming bytes."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import given

from sonde.effects.store.evidence_codec import (
    decode_lines,
    decode_profile,
    decode_snapshot,
    encode_lines,
    encode_profile,
    encode_snapshot,
)
from tests.evidence_values import LINES, PROFILE, SNAPSHOT, code_lines, profiles, snapshots


@given(snapshot=snapshots)
def test_any_snapshot_comes_back_as_it_was(snapshot):
    back = decode_snapshot(encode_snapshot(snapshot))

    assert back == snapshot
    assert back.fingerprint == snapshot.fingerprint
    assert list(back.functions) == list(snapshot.functions)


def test_the_examples_have_something_in_every_field():
    for example in (SNAPSHOT, PROFILE, LINES):
        assert all(getattr(example, each.name) for each in fields(example))


@given(profile=profiles)
def test_any_profile_comes_back_as_it_was(profile):
    assert decode_profile(encode_profile(profile)) == profile


@given(lines=code_lines())
def test_any_lines_come_back_as_they_were(lines):
    assert decode_lines(encode_lines(lines)) == lines
