"""Files of the machine that builds and runs may see."""

import os
import signal
import socket

import pytest

from sonde.core.errors import ProjectFileError
from sonde.effects.shown_files import digest_shown


def test_a_file_counts_by_its_contents(tmp_path):
    file = tmp_path / "licence"
    file.write_text("valid")
    first = digest_shown([str(file)])
    os.utime(file, (1, 1))

    assert digest_shown([str(file)]) == first
    file.write_text("expired")
    assert digest_shown([str(file)]) != first


@pytest.mark.parametrize("change", ["name", "size", "time"])
def test_a_folder_counts_by_what_lies_in_it(tmp_path, change):
    file = tmp_path / "deep" / "tool"
    file.parent.mkdir()
    file.write_text("one")
    os.utime(file, (1, 1))
    first = digest_shown([str(tmp_path)])
    assert digest_shown([str(tmp_path)]) == first

    if change == "name":
        file.rename(file.with_name("other"))
    elif change == "size":
        file.write_text("longer")
        os.utime(file, (1, 1))
    else:
        os.utime(file, (2, 2))

    assert digest_shown([str(tmp_path)]) != first


def test_what_cannot_be_read_is_a_mistake_of_the_project_file(tmp_path):
    with pytest.raises(ProjectFileError, match=r"missing: cannot be read .*'readable' in \[environment\]"):
        digest_shown([str(tmp_path / "missing")])


@pytest.fixture
def soon():
    """Fails a test that waits for a pipe."""

    def fail(*_):
        raise TimeoutError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_pipe_is_left_to_the_benchmark(tmp_path, is_linked):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    held = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    os.write(held, b"for the benchmark")

    first = digest_shown([str(link if is_linked else pipe)])

    assert os.read(held, 100) == b"for the benchmark"
    os.write(held, b"more")
    assert digest_shown([str(link if is_linked else pipe)]) == first
    os.close(held)


def test_a_socket_may_be_shown(tmp_path):
    with socket.socket(socket.AF_UNIX) as served:
        served.bind(str(tmp_path / "socket"))

        assert digest_shown([str(tmp_path / "socket")]) == digest_shown([str(tmp_path / "socket")])


def test_a_device_counts_by_its_number():
    assert digest_shown(["/dev/zero"]) == digest_shown(["/dev/zero"]) != digest_shown(["/dev/null"])


def test_pipes_in_a_folder_count_by_their_names(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    first = digest_shown([str(tmp_path)])
    os.utime(tmp_path / "pipe", (5, 5))

    assert digest_shown([str(tmp_path)]) == first
    (tmp_path / "pipe").rename(tmp_path / "other")
    assert digest_shown([str(tmp_path)]) != first
