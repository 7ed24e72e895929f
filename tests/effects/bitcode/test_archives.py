from sonde.effects.bitcode.archives import read_members


def header(name: bytes, size: int) -> bytes:
    return (
        name.ljust(16) + b"0".ljust(12) + b"0".ljust(6) + b"0".ljust(6) + b"644".ljust(8) + b"%-10d`\n" % size
    )


def test_members_come_in_their_order_without_the_tables(tmp_path):
    file = tmp_path / "x.a"
    table = header(b"/", 4) + b"\0\0\0\0" + header(b"//", 5) + b"long\n\n"
    file.write_bytes(b"!<arch>\n" + table + header(b"a.o/", 3) + b"one\n" + header(b"/0", 4) + b"four")

    assert list(read_members(file, tmp_path)) == [b"one", b"four"]


def test_a_thin_archive_gives_the_files_that_it_names(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "quite-a-long-name.o").write_bytes(b"far")
    (tmp_path / "a.o").write_bytes(b"near")
    names = b"sub/quite-a-long-name.o/\n\n"
    file = tmp_path / "x.a"
    members = header(b"a.o/", 4) + header(b"/0", 3) + header(b"gone.o/", 9)
    file.write_bytes(b"!<thin>\n" + header(b"//", len(names)) + names + members)

    assert list(read_members(file, tmp_path)) == [b"near", b"far", b""]


def test_a_thin_archive_leads_nowhere_else(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "secret").write_text("secret")
    (tree / "link").symlink_to("../secret")
    (tree / "a.o").write_text("a")
    names = f"{tmp_path}/secret/\n".encode()
    members = (b"../secret/", b"link/", b"/0", b"a\0b/", b"a.o/", b"a.o/")
    content = b"".join(header(name, 6) for name in members)
    (tree / "x.a").write_bytes(
        b"!<thin>\n" + header(b"//", len(names)) + names.ljust(len(names) + len(names) % 2) + content
    )

    assert list(read_members(tree / "x.a", tree)) == [b"", b"", b"", b"", b"a", b""]


def test_a_damaged_archive_ends_where_it_is_damaged(tmp_path):
    file = tmp_path / "x.a"
    file.write_bytes(b"!<arch>\n" + header(b"a.o/", 4) + b"good" + b"no header" * 20)

    assert list(read_members(file, tmp_path)) == [b"good"]
