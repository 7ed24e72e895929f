"""Snapshots and profiles survive becoming bytes."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import given

from sonde.effects.store.evidence_codec import (
    decode_profile,
    decode_snapshot,
    encode_profile,
    encode_snapshot,
)
from tests.evidence_values import PROFILE, SNAPSHOT, profiles, snapshots


@given(snapshot=snapshots)
def test_any_snapshot_comes_back_as_it_was(snapshot):
    back = decode_snapshot(encode_snapshot(snapshot))

    assert back == snapshot
    assert back.fingerprint == snapshot.fingerprint
    assert list(back.functions) == list(snapshot.functions)


def test_the_examples_have_something_in_every_field():
    for example in (SNAPSHOT, PROFILE):
        assert all(getattr(example, each.name) for each in fields(example))


@given(profile=profiles)
def test_any_profile_comes_back_as_it_was(profile):
    assert decode_profile(encode_profile(profile)) == profile
