"""(filled by its owner)"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_cache_for_login_limits")]
    operations: list[migrations.operations.base.Operation] = []
