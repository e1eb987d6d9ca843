"""Taking a picture down: what it means, in numbers, before it is done."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation import access
from annotation.models import Image, PyramidState, Takedown, WorkUnit
from annotation.pages.addresses import path
from annotation.pages.forms import submitted
from annotation.pages.images import thumb_url
from annotation.releases import operations, queries
from annotation.tasks.work import send


class TakedownForm(forms.Form):
    """Its cleaned values are the arguments of `take_down`."""

    asked_by = forms.CharField(
        label=gettext_lazy("Who asks for it"),
        max_length=200,
        help_text=gettext_lazy("The holder of the rights, or whoever is shown. Only maintainers and auditors read this."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Stays here; users of releases are told only that the picture was taken down."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def takedown(request: HttpRequest, key: str) -> HttpResponse:
    by = access.require(request.user, "maintain")
    image = get_object_or_404(Image.objects.select_related("source"), key=key)
    if request.method != "POST":
        if image.pyramid_state == PyramidState.ERASED:
            return redirect("image", key)  # its page says what was done
        return _asked(request, image, TakedownForm())

    def done(made: tuple[Takedown, WorkUnit]) -> HttpResponse:
        send([made[1]])
        messages.success(request, _("The picture is taken down. Its bytes are being destroyed."))
        return redirect("image", key)

    form = TakedownForm(request.POST)
    verb = partial(operations.take_down, image_key=key, by=by)
    return submitted(form, verb, then=done, again=partial(_asked, request, image, form))


def _asked(request: HttpRequest, image: Image, form: TakedownForm, status: int = 200) -> HttpResponse:
    thumb = thumb_url(image, timezone.now())
    context = {"image": image, "thumb_url": thumb, "form": form, "reach": queries.reach_of(image)}
    return render(request, "annotation/images/takedown.html", context, status=status)


urlpatterns = [
    path("images/<key:key>/takedown/", takedown, name="image-takedown"),
]
