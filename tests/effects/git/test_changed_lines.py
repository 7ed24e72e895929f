from __future__ import annotations

from sonde.effects.git.changed_lines import parse_diff

DIFF = b"""diff --git a/main.c b/main.c
index 1..2 100644
--- a/main.c
+++ b/main.c
@@ -3 +3,2 @@ int main(void)
-  old
+  new
+++ counter;
@@ -9,2 +10,0 @@
--- counter;
-  gone
diff --git a/new file.c b/new file.c
new file mode 100644
--- /dev/null
+++ b/new file.c\t
@@ -0,0 +1,3 @@
+a
+b
+c
diff --git "a/\\303\\244.c" "b/\\303\\244.c"
--- "a/\\303\\244.c"
+++ "b/\\303\\244.c"
@@ -1 +1 @@
-x
+y
"""


def test_rows_of_lines_are_told_for_both_sides() -> None:
    found = parse_diff(DIFF)

    assert found.old == {"main.c": ((3, 3), (9, 10)), "ä.c": ((1, 1),)}
    assert found.new == {"main.c": ((3, 4),), "new file.c": ((1, 3),), "ä.c": ((1, 1),)}


def test_no_difference_has_no_lines() -> None:
    assert parse_diff(b"").old == {}
