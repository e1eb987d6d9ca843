"""What somebody had begun when their lease ended is looked for with every claim: a small index of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0009_what_was_skipped")]
    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["person", "leased_until"], condition=models.Q(state="expired"), name="assignment_ended"),
        )
    ]
