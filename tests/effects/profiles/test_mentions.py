"""Paths in the logs of valgrind and strace."""

from sonde.effects.profiles import mentions
from sonde.effects.profiles.mentions import Mention, read_mentions

VALGRIND = """\
==17== Using source line as position.
--17-- Reading syms from /sonde/build/xz
SYSCALL[17,1](257) sys_openat ( 4294967196, 0x10a00d(/p/opened), 0 ) --> [async] ... \n\
SYSCALL[17,1](257) ... [async] --> Failure(0x2) \n\
SYSCALL[17,1](4) sys_newstat ( 0x10a016(/p/with space), 0x1fff0005d0 )[sync] --> Failure(0x2) \n\
SYSCALL[17,1](80) sys_chdir ( 0x10a06a(/p) )[sync] --> Success(0x0) \n\
SYSCALL[17,1](82) sys_rename ( 0x10a08d(one), 0x10a085(other) )[sync] --> Failure(0x2) \n\
SYSCALL[17,1](59) sys_execve ( 0x10a096(/bin/sh), 0x1fff000450, 0x1fff000450 ) --> [pre-fail] Failure(0x2) \n\
SYSCALL[17,1](322) sys_execveat ( 4294967196, 0x10a09e(/p/at), 0x1ff, 0x1ff, 0 --> [pre-fail] Failure(0x2) \n\
SYSCALL[17,1](12) sys_brk ( 0x0 ) --> [pre-success] Success(0x4035000) \n\
SYSCALL[17,1](165) sys_mount( 0x10a0d0(/p/m), 0x0((null)), 0x0, 0x0, 0x0 ) --> [async] ... \n\
SYSCALL[17,1](9) sys_mmap ( 0x48, 81, 3, 2066, 4, 8 )--17-- Reading syms from /usr/lib/x.so
"""

STRACE = r"""17    execve("/usr/bin/python3", ["python3", "-c", "x"], 0x7ffd8f0 /* 3 vars */) = 0
17    openat(AT_FDCWD, "/p/a\"b\n\303\251", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)
18    newfstatat(3, "", {st_mode=S_IFREG|0755, st_size=3, ...}, AT_EMPTY_PATH) = 0
18    chdir("/p")  = 0
18    +++ exited with 0 +++
"""


def test_paths_are_read_from_the_log_of_valgrind(tmp_path):
    (tmp_path / "log").write_text(VALGRIND)

    found = read_mentions([tmp_path / "log", tmp_path / "missing"])

    assert found is not None
    assert set(found) == {
        Mention("openat", "/p/opened"),
        Mention("newstat", "/p/with space"),
        Mention("chdir", "/p"),
        Mention("rename", "one"),
        Mention("rename", "other"),
        Mention("execve", "/bin/sh"),
        Mention("execveat", "/p/at"),
        Mention("mount", "/p/m"),
        Mention("mount", "(null)"),
    }


def test_paths_are_read_from_the_log_of_strace(tmp_path):
    (tmp_path / "log").write_text(STRACE)

    found = read_mentions([tmp_path / "log"])

    assert found is not None
    assert {
        Mention("execve", "/usr/bin/python3"),
        Mention("openat", '/p/a"b\né'),
        Mention("chdir", "/p"),
    } <= found


def test_what_a_call_does_with_a_path_is_known():
    assert Mention("openat", "x").is_opening
    assert Mention("chdir", "x").is_moving
    assert Mention("execve", "x").is_executing
    stat = Mention("newstat", "x")
    assert not stat.is_opening
    assert not stat.is_moving
    assert not stat.is_executing


def test_logs_that_are_too_long_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(mentions, "LONGEST_BYTES", 100)
    (tmp_path / "log").write_text(VALGRIND)

    assert read_mentions([tmp_path / "log"]) is None
