"""How the search for change points came to its end."""

from __future__ import annotations

from dataclasses import replace

from sonde.campaign.loop import CampaignEnding
from sonde.core.findings.pinpoints import Pinpointed, Stop


def with_ending(found: Pinpointed, ending: CampaignEnding) -> Pinpointed:
    """What a search found, and why it ended: by itself, or because the campaign did."""
    if found.stop is Stop.FINISHED:
        return found
    return replace(found, ending=ending.reason, stop=Stop.BUDGET if ending.is_budget_spent else Stop.STUCK)
