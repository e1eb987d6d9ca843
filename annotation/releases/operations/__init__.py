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
    ReasonMissing,
    ReleaseBroken,
    check_release,
    publish_release,
    withdraw_release,
)
from annotation.releases.operations.states import WrongState

__all__ = [
    "ClustersChanged",
    "FolderNotEmpty",
    "FolderUnwritable",
    "NotBuilt",
    "PlanNotMet",
    "ReasonMissing",
    "ReleaseBroken",
    "VersionInvalid",
    "VersionTaken",
    "WrongState",
    "build_release",
    "check_release",
    "draft_release",
    "export_release",
    "publish_release",
    "request_build",
    "require_new_folder",
    "withdraw_release",
    "zip_chunks",
]
