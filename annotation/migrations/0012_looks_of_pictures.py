"""(filled by its owner)"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_fetching_by_rules")]
    operations: list[migrations.operations.base.Operation] = []
