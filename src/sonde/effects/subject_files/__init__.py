"""Files that a subject has written: removed, cleaned and read without following a link.

A build or a benchmark can leave anything: links to folders of the host, pipes that block whoever reads them,
paths that are too long for the kernel, folders without permissions. So folders are held open, names are
looked up in them one by one, and what is no plain file or folder is removed before other code looks.
"""

from sonde.effects.subject_files.cleaning import keep_only
from sonde.effects.subject_files.folders import make_folders
from sonde.effects.subject_files.noticing import notices_changes
from sonde.effects.subject_files.removing import discard
from sonde.effects.subject_files.settling import settle

__all__ = ["discard", "keep_only", "make_folders", "notices_changes", "settle"]
