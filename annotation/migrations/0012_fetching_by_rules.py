"""Pictures are fetched by rules: where from, how often, how far it came; and manners towards every host."""

import datetime
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.lookups
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0011_rows_wait_for_pictures"),
    ]

    operations = [
        migrations.CreateModel(
            name="FetchHost",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("host", models.CharField(help_text="As in Acquisition.host.", max_length=260, unique=True)),
                (
                    "spacing",
                    models.DurationField(
                        db_default=datetime.timedelta(microseconds=200000), default=datetime.timedelta(microseconds=200000)
                    ),
                ),
                ("at_once", models.PositiveSmallIntegerField(db_default=4, default=4, help_text="Requests under way at most.")),
                (
                    "next_slot",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), help_text="No request begins before."
                    ),
                ),
                ("paused_until", models.DateTimeField(blank=True, help_text="The host asked us to wait until then.", null=True)),
                (
                    "held",
                    models.BooleanField(db_default=False, default=False, help_text="Paused by a person, until one resumes it."),
                ),
                ("reason", models.TextField(blank=True, db_default="", help_text="What the host said when it asked us to wait.")),
            ],
            options={
                "db_table": "fetch_host",
            },
        ),
        migrations.CreateModel(
            name="FetchSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.UUIDField(unique=True)),
                ("until", models.DateTimeField()),
            ],
            options={
                "db_table": "fetch_seat",
            },
        ),
        migrations.AddField(
            model_name="acquisition",
            name="attempts",
            field=models.PositiveIntegerField(db_default=0, default=0, help_text="Requests sent in this round."),
        ),
        migrations.AddField(
            model_name="acquisition",
            name="fetched_at",
            field=models.DateTimeField(blank=True, help_text="When the last answer was final.", null=True),
        ),
        migrations.AddField(
            model_name="acquisition",
            name="host",
            field=models.CharField(blank=True, db_default="", default="", help_text="Of a URL, with port.", max_length=260),
        ),
        migrations.AddField(
            model_name="acquisition",
            name="last_status",
            field=models.PositiveSmallIntegerField(blank=True, help_text="Of HTTP.", null=True),
        ),
        migrations.AddField(
            model_name="acquisition",
            name="received_bytes",
            field=models.PositiveBigIntegerField(blank=True, help_text="Of the last attempt.", null=True),
        ),
        migrations.AddField(
            model_name="acquisition",
            name="round",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="acquisition",
            name="name",
            field=models.CharField(help_text="Path below the image folder, or URL, as the source writes it.", max_length=2000),
        ),
        migrations.AddIndex(
            model_name="acquisition",
            index=models.Index(fields=["state", "id"], name="acquisition_by_state"),
        ),
        migrations.AddIndex(
            model_name="acquisition",
            index=models.Index(fields=["source", "state", "id"], name="acquisition_by_source"),
        ),
        migrations.AddIndex(
            model_name="acquisition",
            index=models.Index(
                condition=models.Q(("host", ""), _negated=True), fields=["host", "state", "id"], name="acquisition_by_host"
            ),
        ),
        migrations.AddIndex(
            model_name="acquisition",
            index=models.Index(
                condition=models.Q(("fetched_at__isnull", False)), fields=["fetched_at"], name="acquisition_lately"
            ),
        ),
        migrations.AddConstraint(
            model_name="acquisition",
            constraint=models.CheckConstraint(
                condition=django.db.models.lookups.LessThanOrEqual(
                    models.Func("name", function="octet_length", output_field=models.IntegerField()), 2000
                ),
                name="acquisition_name_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="fetchhost",
            constraint=models.CheckConstraint(
                condition=models.Q(("spacing__gte", datetime.timedelta(0)), ("spacing__lte", datetime.timedelta(seconds=3600))),
                name="fetch_host_spacing_sane",
            ),
        ),
        migrations.AddConstraint(
            model_name="fetchhost",
            constraint=models.CheckConstraint(
                condition=models.Q(("at_once__gte", 1), ("at_once__lte", 64)), name="fetch_host_at_once_sane"
            ),
        ),
        migrations.AddField(
            model_name="fetchseat",
            name="host",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="annotation.fetchhost"),
        ),
    ]
