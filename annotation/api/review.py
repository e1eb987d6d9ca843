"""The review endpoints: the next task, a vote, a skip, a renewal, a draft. The workspace and scripts use the same."""

from typing import Any

from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import access
from annotation.models import Membership
from annotation.review import operations
from annotation.review.coverage import needed_scale
from annotation.review.operations.claiming import Task

RENEW_SHARE = 3  # a lease is renewed after a third of its time
WHY_EMPTY = {
    "no-campaign": gettext_lazy("You are on no open campaign. A maintainer can add you to one."),
    "paused": gettext_lazy("The campaign you are on is paused. A maintainer resumes it; look again later."),
    "nothing-left": gettext_lazy("Nothing is left for you here: every open item is taken, finished, or one you have voted on."),
    "skipped-only": gettext_lazy("Only what you skipped is left for you. It comes back after a while, unless others take it."),
    "busy": gettext_lazy("Others hold the last free items for a moment. Ask again; a place may be free then."),
}


class TokenBody(serializers.Serializer[Any]):
    assignment = serializers.CharField(max_length=22)


class DraftBody(TokenBody):
    form = serializers.DictField()


class VoteBody(TokenBody):
    """Only the assignment is checked here; the ballot itself is checked by `review.ballots`."""

    verdict = serializers.CharField()
    answer = serializers.CharField(required=False, allow_blank=True, allow_null=True)
    evidence = serializers.DictField(required=False, allow_null=True)
    premise = serializers.CharField(required=False, allow_null=True, allow_blank=True)
    code = serializers.CharField(required=False, allow_null=True, allow_blank=True)
    comment = serializers.CharField(required=False, allow_blank=True, allow_null=True)
    confidence = serializers.IntegerField(required=False, allow_null=True)
    active_ms = serializers.IntegerField(required=False)
    trace = serializers.ListField(required=False)


class ReviewView(APIView):
    """Everything here is done by a person who may review, on their own assignments."""

    def person(self, request: Request) -> Any:
        return access.require(request.user, "review")


class NextView(ReviewView):
    @extend_schema(request=None, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        person = self.person(request)
        claimed = operations.claim_next(person=person)
        membership = claimed.membership
        progress = {"voted": membership.voted if membership else 0, "today": claimed.today}
        if claimed.task is None or membership is None:
            reason = claimed.reason or "nothing-left"
            return Response({"assignment": None, "reason": reason, "detail": str(WHY_EMPTY[reason]), "progress": progress})
        return Response({**_task(claimed.task, membership), "progress": progress})


def _task(task: Task, membership: Membership) -> dict[str, Any]:
    campaign = membership.campaign
    target = campaign.target_share * max(task.width, task.height)
    return {
        "assignment": {
            "token": task.token,
            "leased_until": task.leased_until.isoformat(),
            "renew_seconds": campaign.lease_seconds // RENEW_SHARE,
        },
        "item": {"id": task.item, "question": task.question, "options": task.options},
        "image": {
            "info_url": access.image_info_url(image_key=task.image, role="annotator", at=timezone.now()),
            "width": task.width,
            "height": task.height,
        },
        "policy": {
            "needed_scale": needed_scale(task.width, task.height, target),
            "needed_share": campaign.coverage_needed,
            "dwell_ms": campaign.dwell_ms,
        },
        "guideline": {"version": task.guideline, "url": reverse("guideline", args=[campaign.key])},
        "draft": task.draft,
    }


class VoteView(ReviewView):
    @extend_schema(request=VoteBody, responses={201: OpenApiTypes.OBJECT, 200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        person = self.person(request)
        token = _checked(TokenBody, request)["assignment"]  # refuses a body that is no object
        cast = operations.cast_vote(
            token=token,
            person=person,
            client_key=request.headers.get("Idempotency-Key", ""),
            body=dict(request.data),
        )
        answer = {"vote": cast.vote, "late": cast.late, "progress": {"voted": cast.voted}}
        return Response(answer, status=200 if cast.repeated else 201)


class SkipView(ReviewView):
    @extend_schema(request=TokenBody, responses={204: None})
    def post(self, request: Request) -> Response:
        person = self.person(request)
        operations.skip(token=_checked(TokenBody, request)["assignment"], person=person)
        return Response(status=204)


class RenewView(ReviewView):
    @extend_schema(request=TokenBody, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        person = self.person(request)
        assignment = operations.renew(token=_checked(TokenBody, request)["assignment"], person=person)
        return Response({"leased_until": assignment.leased_until.isoformat()})


class DraftView(ReviewView):
    @extend_schema(request=DraftBody, responses={204: None})
    def put(self, request: Request) -> Response:
        person = self.person(request)
        body = _checked(DraftBody, request)
        size = int(request.headers.get("Content-Length") or 0)
        operations.save_draft(token=body["assignment"], person=person, form=body["form"], size=size)
        return Response(status=204)


def _checked(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    read = serializer(data=request.data)
    read.is_valid(raise_exception=True)
    return read.validated_data


urlpatterns = [
    path("next", NextView.as_view(), name="api-review-next"),
    path("votes", VoteView.as_view(), name="api-review-vote"),
    path("skip", SkipView.as_view(), name="api-review-skip"),
    path("renew", RenewView.as_view(), name="api-review-renew"),
    path("draft", DraftView.as_view(), name="api-review-draft"),
]
