"""The site's own app: it only registers the system checks."""

from django.apps import AppConfig
from django.core import checks

from hardbench_web import checks as site_checks


class SiteConfig(AppConfig):
    name = "hardbench_web"
    verbose_name = "HARDBench web"

    def ready(self) -> None:
        checks.register(site_checks.storage_is_usable)
        checks.register(site_checks.broker_is_named)
        checks.register(site_checks.door_is_shut)
        checks.register(site_checks.product_owns_nothing, checks.Tags.database)
        checks.register(site_checks.hosts_are_named, deploy=True)
        checks.register(site_checks.decoders_are_sound, deploy=True)
        checks.register(site_checks.storage_is_private, deploy=True)
