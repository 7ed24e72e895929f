"""Why there is no sandbox, in words."""

import pytest

from sonde.effects.sandbox.finding import NOT_INSTALLED, explain

DENIED = "bwrap: setting up uid map: Permission denied\n"
REFUSED = "bwrap: Creating new namespace failed: Operation not permitted\n"


@pytest.mark.parametrize(
    ("name", "complaint", "settings"),
    [
        (
            "debian",
            "bwrap: No permissions to create new namespace\n",
            {"kernel/unprivileged_userns_clone": "0"},
        ),
        ("ubuntu", DENIED, {"kernel/apparmor_restrict_unprivileged_userns": "1"}),
        ("none-left", REFUSED, {"user/max_user_namespaces": "0"}),
        ("container", REFUSED, {"user/max_user_namespaces": "60000"}),
        ("other", "bwrap: Can't find source path /usr: No such file or directory\n", {}),
        ("silent", "", {}),
    ],
)
def test_the_reason_says_what_to_do(golden, name, complaint, settings):
    golden(f"sandbox/unavailable-{name}.txt", explain(complaint, settings) + "\n")


def test_a_missing_program_says_what_to_install(golden):
    golden("sandbox/unavailable-not-installed.txt", NOT_INSTALLED + "\n")
