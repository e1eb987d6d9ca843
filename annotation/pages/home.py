"""The first page: what is next for each role. And the two addresses that a load balancer asks."""

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from annotation import access
from annotation.pages.tasklist import tasks_for


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What waits, or why nothing does: `roles` tells apart who has nothing to do from who may do nothing."""
    context = {"tasks": tasks_for(request.user), "roles": access.roles_of(request.user)}
    return render(request, "annotation/home.html", context)


@login_not_required
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """The process can reach the database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ok"})


urlpatterns = [
    path("", home, name="home"),
    path("healthz", alive, name="healthz"),
    path("readyz", ready, name="readyz"),
]
