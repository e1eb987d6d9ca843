"""A maintainer may write down why rows of a source without a known licence are released all the same."""

from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


append_only = import_module("annotation.migrations.0003_append_only")

REVOKE = "REVOKE UPDATE, DELETE, TRUNCATE ON licence_ruling FROM app;"
GRANT = "GRANT UPDATE, DELETE ON licence_ruling TO app;"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0015_fewer_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="LicenceRuling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("allowed", models.BooleanField()),
                ("reason", models.TextField(help_text="Goes out with releases: no names of people.")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="licence_rulings", to="annotation.person"
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="licence_rulings", to="annotation.source"
                    ),
                ),
            ],
            options={
                "db_table": "licence_ruling",
                "indexes": [models.Index(fields=["source", "-id"], name="licence_ruling_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            django.db.models.lookups.GreaterThan(
                                django.db.models.functions.text.Length(django.db.models.functions.text.Trim("reason")), 0
                            )
                        ),
                        name="licence_ruling_has_reason",
                    )
                ],
            },
        ),
        migrations.RunSQL(append_only.guard("licence_ruling"), append_only.unguard("licence_ruling")),
        migrations.RunSQL(REVOKE, GRANT),
    ]
