"""`sonde check` where options take effect in the build, so that one of several builds may fail."""

from __future__ import annotations

import pytest

from tests.real.checks import BUILDS, PROJECT_FILE, check, make_history, verdicts, work

pytestmark = pytest.mark.needs("git", "bwrap")

WITH_FLAVOUR = PROJECT_FILE.replace(
    'command = "sh src/build.sh"', 'command = "sh src/build.sh {flavour}"'
).replace(
    "[benchmarks.work]", '[options.flavour]\nvalues = ["old", "new"]\nbuild = true\n\n[benchmarks.work]'
)
PICKY = f"test $1 = new && test -f src/no-new && exit 3\n{BUILDS}"

# position -> what changes there
FIRST, NO_NEW, SLOWER, NEW_AGAIN = range(4)


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("builds")
    ids = make_history(
        folder,
        [
            ("Begin", {"src/work.sh": work(100), "src/build.sh": PICKY}),
            ("Break new", {"src/no-new": "yes\n"}),
            ("Be slower", {"src/work.sh": work(130)}),
            ("Mend new", {"src/no-new": None}),
        ],
        WITH_FLAVOUR,
    )
    return folder, ids


@pytest.mark.parametrize("words", [(), ("--all",)])
def test_a_configuration_that_no_longer_builds_is_a_regression(subject, words):
    folder, ids = subject

    answer = check(folder, ids[NO_NEW], *words, code=1)

    assert [each["term"] for each in answer["patterns"]] == [["flavour=new"]]
    assert "fails" in verdicts(answer)


def test_a_base_that_builds_in_one_configuration_is_kept_for_all(subject):
    folder, ids = subject

    answer = check(folder, ids[NEW_AGAIN])

    assert answer["base"]["id"] == ids[SLOWER]
    assert "mended" in verdicts(answer)
    assert "slower" not in verdicts(answer)
