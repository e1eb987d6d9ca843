"""(filled by its owner)"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_rows_wait_for_pictures")]
    operations: list[migrations.operations.base.Operation] = []
