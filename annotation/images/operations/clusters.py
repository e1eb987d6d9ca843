"""Gathering near-duplicates into clusters."""

from django.db import connection

from annotation.images import queries
from annotation.images.pixels import Pyramid
from annotation.models import Image

CLUSTER_LOCK = 4_042_003


def join(image: Image, pyramid: Pyramid) -> int:
    """The cluster of everything that looks like this image, named by its oldest member; clusters that meet become one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLUSTER_LOCK])  # two new look-alikes must see each other
    alike = queries.clusters_like(pyramid.difference_hash, pyramid.average_hash)
    cluster = min([*alike, image.cluster or image.pk])
    Image.objects.filter(cluster__in=alike).exclude(cluster=cluster).update(cluster=cluster)
    return cluster
