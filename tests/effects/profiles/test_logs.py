"""What is loaded, and who forked whom, in the log of valgrind."""

from sonde.effects.profiles.logs import Loaded, Log, inherit, read_log

TEXT = """\
--17-- <<
--17-- Reading syms from /sonde/build/xz
--17--    svma 0x0000001050, avma 0x0000109050
SYSCALL[17,1](9) sys_mmap ( 0x483a, 8192, 3, 2066, 4, 8192 )--17-- Reading syms from /lib/a b.so
--17--    svma 0x0000001000, avma 0x0004838000
SYSCALL[17,1](56) sys_clone ( 1200011, 0x0, 0x0 )   clone(fork): process 17 created child 18
 --> [pre-success] Success(0x12) \n\
SYSCALL[17,1](57) sys_fork ( )   fork: process 17 created child 19
"""
XZ, LIBRARY, OTHER = Loaded("/sonde/build/xz", 0x108000), Loaded("/lib/a b.so", 0x4837000), Loaded("/b", 0)


def test_files_and_children_are_read(tmp_path):
    (tmp_path / "log").write_text(TEXT)

    assert read_log(tmp_path / "log") == Log((XZ, LIBRARY), frozenset({"18", "19"}))


def test_without_a_log_nothing_is_known(tmp_path):
    (tmp_path / "empty").touch()

    assert read_log(tmp_path / "missing") == read_log(tmp_path / "empty") == Log((), frozenset())


def test_a_forked_program_has_what_its_parent_had():
    logs = {
        ("17", 0): Log((), frozenset()),
        ("17", 1): Log((XZ,), frozenset({"18"})),
        ("18", 0): Log((LIBRARY,), frozenset({"19"})),
        ("18", 1): Log((OTHER,), frozenset()),
        ("19", 0): Log((), frozenset()),
    }

    assert inherit(logs) == {
        ("17", 0): (),
        ("17", 1): (XZ,),
        ("18", 0): (LIBRARY, XZ),
        ("18", 1): (OTHER,),
        ("19", 0): (LIBRARY, XZ),
    }
