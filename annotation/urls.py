"""Every address of the product."""

from django.urls import include, path
from django.views.i18n import set_language

from annotation.api import urls as api
from annotation.pages import (
    accounts,
    acquisitions,
    adjudication,
    campaigns,
    candidates,
    clusters,
    evaluation,
    generation,
    home,
    iiif,
    images,
    imports,
    journal,
    licences,
    originals,
    quality,
    releases,
    review,
    sources,
    takedowns,
    uploads,
)

urlpatterns = [
    path("", include(home.urlpatterns)),
    path("", include(review.urlpatterns)),
    path("", include(adjudication.urlpatterns)),
    path("", include(campaigns.urlpatterns)),
    path("", include(acquisitions.urlpatterns)),
    path("", include(images.urlpatterns)),
    path("", include(originals.urlpatterns)),
    path("", include(takedowns.urlpatterns)),
    path("", include(clusters.urlpatterns)),
    path("", include(journal.urlpatterns)),
    path("", include(sources.urlpatterns)),
    path("", include(licences.urlpatterns)),
    path("", include(imports.urlpatterns)),
    path("", include(uploads.urlpatterns)),
    path("", include(candidates.urlpatterns)),
    path("", include(generation.urlpatterns)),
    path("", include(quality.urlpatterns)),
    path("", include(releases.urlpatterns)),
    path("", include(evaluation.urlpatterns)),
    path("", include(iiif.urlpatterns)),
    path("accounts/", include(accounts.urlpatterns)),
    path("language/", set_language, name="set_language"),
    path("api/v1/", include(api.urlpatterns)),
]
