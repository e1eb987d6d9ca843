"""(filled by its owner)"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_looks_of_pictures")]
    operations: list[migrations.operations.base.Operation] = []
