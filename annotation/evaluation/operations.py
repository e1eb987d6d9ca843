"""Submitting a model's predictions on a release, and scoring them."""

from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import journal, storage, work
from annotation.errors import Conflict, Invalid
from annotation.evaluation import queries, scoring
from annotation.evaluation.refusals import RULES_VERSION
from annotation.evaluation.submissions import read_predictions
from annotation.hashing import sha256_hex
from annotation.models import Person, Release, ReleaseState, Score, ScoreState, Submission
from annotation.releases.queries import release_by_key

KIND = queries.SCORE_KIND
MODEL_AT_MOST = 200


class ModelInvalid(Invalid):
    """The model's name is missing or too long."""

    code = "model-invalid"


class OptionsInvalid(Invalid):
    """The options of a submission are not known or out of range."""

    code = "options-invalid"


class NotOpenForScoring(Conflict):
    """Only a built or published release takes predictions."""

    code = "release-not-scored"


@dataclass(frozen=True, slots=True)
class Options:
    """What a submission declares: what a right refusal earns in Phi_c, 0 or 1."""

    refusal_credit: int = 1


@transaction.atomic
def submit(*, release_key: str, model: str, predictions: bytes, by: Person, options: dict[str, Any] | None = None) -> Submission:
    """Take a model's predictions (JSONL, see `evaluation.submissions`) and ask for their score.

    The same bytes of the same model under the same options are the same submission. Raises ReleaseUnknown,
    NotOpenForScoring, ModelInvalid, OptionsInvalid, PredictionsInvalid.
    """
    release = release_by_key(release_key)
    if release.state not in (ReleaseState.BUILT, ReleaseState.PUBLISHED):
        message = _("Release %(version)s is %(state)s; predictions are taken on built and published releases.")
        raise NotOpenForScoring(message % {"version": release.version, "state": release.state})
    name, declared = _model(model), _options(options or {})
    read_predictions(predictions, set(release.rows.values_list("row_id", flat=True)))
    digest = sha256_hex(predictions)
    key = f"predictions/{digest[:2]}/{digest}"
    storage.store().write(key, predictions)
    submission, new = Submission.objects.get_or_create(
        release=release,
        model=name,
        predictions_sha256=digest,
        options=asdict(declared),
        defaults={"storage_key": key, "by": by},
    )
    if new:
        after = {"release": release.version, "model": name, "predictions": digest}
        journal.record(event="submission.received", actor=by, subject=submission, after=after)
    request_score(submission=submission)
    return submission


def request_score(*, submission: Submission) -> Score:
    """Ask for a score by today's rules; one that is there, or asked for, stays as it is."""
    with transaction.atomic():
        score, _new = Score.objects.get_or_create(
            submission=submission, scorer_version=scoring.SCORER_VERSION, refusal_rules_version=RULES_VERSION
        )
        natural_key = f"{KIND}:{submission.key}:{scoring.SCORER_VERSION}:{RULES_VERSION}"
        work.enqueue(kind=KIND, natural_key=natural_key, payload={"score_id": score.pk}, queue="io")
    return score


def score(*, score_id: int) -> Score:
    """Score what was asked for; a finished score is given back as it is, so a retry is harmless."""
    asked = Score.objects.select_related("submission__release").get(pk=score_id)
    if asked.state == ScoreState.FINISHED:
        return asked
    submission = asked.submission
    metrics = _metrics(submission.release, submission)
    with transaction.atomic():
        finished = Score.objects.select_for_update().get(pk=score_id)
        if finished.state == ScoreState.FINISHED:
            return finished
        finished.state, finished.metrics = ScoreState.FINISHED, metrics
        finished.save(update_fields=["state", "metrics"])
        after = {"scorer": finished.scorer_version, "refusal_rules": finished.refusal_rules_version}
        journal.record(event="submission.scored", actor=None, subject=submission, after=after)
    return finished


def _metrics(release: Release, submission: Submission) -> dict[str, Any]:
    golds = queries.golds_of(release)
    with storage.store().open(submission.storage_key) as stream:
        predictions = read_predictions(stream.read(), {gold.row_id for gold in golds})
    declared = Options(**submission.options)
    return scoring.score(golds, predictions, refusal_credit=declared.refusal_credit)


def _model(model: str) -> str:
    name = model.strip()
    if not 0 < len(name) <= MODEL_AT_MOST:
        raise ModelInvalid(_("Name the model in 1 to %(most)d characters.") % {"most": MODEL_AT_MOST}, field="model")
    return name


def _options(options: dict[str, Any]) -> Options:
    strange = sorted(set(options) - {"refusal_credit"})
    if strange:
        raise OptionsInvalid(_("There is no option %(name)s.") % {"name": strange[0]}, field="options")
    credit = options.get("refusal_credit", 1)
    if isinstance(credit, bool) or credit not in (0, 1):
        raise OptionsInvalid(_("refusal_credit is 0 or 1."), field="options")
    return Options(refusal_credit=int(credit))
