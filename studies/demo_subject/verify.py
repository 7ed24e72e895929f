"""Builds and measures every revision of the demo subject, and compares what it sees with the plan."""

import sys
import tempfile
from pathlib import Path

from sonde.effects.demo_subject.plan import plan
from sonde.effects.demo_subject.write import write_demo
from studies.demo_subject.builds import Build, build_all
from studies.demo_subject.comparison import compare_steps, planted_table
from studies.demo_subject.counting import covering_configurations, instruction_counts
from studies.demo_subject.round_trips import failed_round_trips


def main(folder: Path) -> int:
    """0 if the truth is true."""
    planned = plan()
    demo = folder / "demo"
    if not demo.exists():
        write_demo(demo)
    builds = build_all(demo / "packer", planned, folder / "builds")
    ran = [build for build in builds if isinstance(build, Build)]
    print(
        f"{len(builds)} revisions, {len(ran)} build, {len({build.digest for build in ran})} distinct builds"
    )

    differences = [build for build in builds if isinstance(build, str)]
    differences += failed_round_trips(ran, planned, folder / "round-trips")
    print(f"building and unpacking: {len(differences)} differences", flush=True)
    counts = instruction_counts(ran, planned, covering_configurations(), demo, folder / "counts.json")
    differences += compare_steps(ran, planned, counts)
    print(planted_table(ran, planned, counts))
    for difference in differences:
        print("DIFFERS:", difference)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="demo-truth-"))))
