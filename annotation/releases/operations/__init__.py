"""The verbs of releases, in the order in which they are called: draft, ask for a build, build, publish, hand out, withdraw."""

from annotation.releases.operations.building import PlanNotMet, build_release, request_build
from annotation.releases.operations.drafting import VersionInvalid, VersionTaken, draft_release
from annotation.releases.operations.handing_out import (
    FolderNotEmpty,
    FolderUnwritable,
    NotBuilt,
    export_release,
    require_new_folder,
    zip_chunks,
)
from annotation.releases.operations.publishing import (
    ClustersChanged,
    LicenceUnclear,
    ReasonMissing,
    ReleaseBroken,
    RowsWithdrawn,
    check_release,
    publish_release,
    withdraw_release,
)
from annotation.releases.operations.states import WrongState
from annotation.releases.operations.takedowns import ERASE_KIND, NoSuchPicture, finish_takedown, take_down

__all__ = [
    "ERASE_KIND",
    "ClustersChanged",
    "FolderNotEmpty",
    "FolderUnwritable",
    "LicenceUnclear",
    "NoSuchPicture",
    "NotBuilt",
    "PlanNotMet",
    "ReasonMissing",
    "ReleaseBroken",
    "RowsWithdrawn",
    "VersionInvalid",
    "VersionTaken",
    "WrongState",
    "build_release",
    "check_release",
    "draft_release",
    "export_release",
    "finish_takedown",
    "publish_release",
    "request_build",
    "require_new_folder",
    "take_down",
    "withdraw_release",
    "zip_chunks",
]
