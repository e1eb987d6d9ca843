"""All tables, in the order work flows. Other code imports them from here.

Inside the package a module imports only from those above it:
base <- people <- sources <- licences, images, fetching, likeness <- questions <- staging, generation, work <- campaigns <- review <- decisions <- releases <- takedowns, evaluation; journal.
"""

from annotation.models.base import random_key
from annotation.models.campaigns import Campaign, CampaignState, Guideline, Membership, ZeroCount
from annotation.models.decisions import AnnotatorSkill, Decision, Method
from annotation.models.evaluation import Score, ScoreState, Submission
from annotation.models.fetching import FetchHost, FetchSeat
from annotation.models.generation import GenerationRun, ModelCall, ModelReply, ReplyClass, ReplyKind, RunState
from annotation.models.images import Acquisition, AcquisitionState, Image, PyramidState
from annotation.models.journal import Checkpoint, JournalEntry
from annotation.models.licences import LicenceRuling
from annotation.models.likeness import ClusterRuling, ImageLikeness, ImageLook
from annotation.models.people import Person, Role, User
from annotation.models.questions import (
    Component,
    Edit,
    EditOperation,
    Kind,
    PromptSetting,
    Question,
    QuestionState,
    Screening,
)
from annotation.models.releases import Artifact, LabelOpening, Release, ReleaseRow, ReleaseState, RowRole
from annotation.models.review import (
    LANES,
    PRIORITIES,
    VOTE_GATE,
    AmbiguityCode,
    Assignment,
    AssignmentState,
    Control,
    Draft,
    EvidenceKind,
    IdempotencyKey,
    ItemState,
    Premise,
    ReviewItem,
    SearchRecord,
    Verdict,
    Vote,
    Waiver,
)
from annotation.models.sources import UNKNOWN_LICENCE, ImportBatch, ImportProblem, ImportState, Source
from annotation.models.staging import ImportedRow, UploadedFile
from annotation.models.takedowns import Erratum, Takedown
from annotation.models.work import WorkState, WorkUnit
