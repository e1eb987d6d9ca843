"""What somebody skipped is asked for with every claim: a small index of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_cache_for_login_limits")]
    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["person", "pair"], condition=models.Q(state="skipped"), name="assignment_skipped"),
        )
    ]
