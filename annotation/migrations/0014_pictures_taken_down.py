"""Pictures are taken down for good: the row stays, its bytes never come back, and users of releases are told."""

from importlib import import_module

import annotation.models.base
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


append_only = import_module("annotation.migrations.0003_append_only")

TABLES = ["takedown", "erratum"]
REVOKE = "\n".join(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM app;" for table in TABLES)
GRANT = "\n".join(f"GRANT UPDATE, DELETE ON {table} TO app;" for table in TABLES)

STAYS = """
CREATE FUNCTION keep_erased_image() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Image % was taken down: it stays erased.', OLD.key USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER image_stays_erased BEFORE UPDATE OF pyramid_state ON image FOR EACH ROW
    WHEN (OLD.pyramid_state = 'erased' AND NEW.pyramid_state <> 'erased') EXECUTE FUNCTION keep_erased_image();
"""
GOES = "DROP TRIGGER image_stays_erased ON image; DROP FUNCTION keep_erased_image();"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0013_looks_of_pictures"),
    ]

    operations = [
        migrations.CreateModel(
            name="Erratum",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("key", models.CharField(default=annotation.models.base.random_key, editable=False, max_length=22, unique=True)),
                (
                    "row_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), help_text="Of the release's rows, as in its files.", size=None
                    ),
                ),
                ("text", models.TextField(help_text="For whoever uses the release.")),
            ],
            options={
                "verbose_name_plural": "errata",
                "db_table": "erratum",
            },
        ),
        migrations.CreateModel(
            name="Takedown",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("key", models.CharField(default=annotation.models.base.random_key, editable=False, max_length=22, unique=True)),
                ("reason", models.TextField()),
                ("asked_by", models.CharField(max_length=200)),
                (
                    "storage_keys",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        help_text="Where the bytes were: to be erased, and again.",
                        size=None,
                    ),
                ),
            ],
            options={
                "db_table": "takedown",
            },
        ),
        migrations.RemoveConstraint(
            model_name="image",
            name="image_pyramid_state_known",
        ),
        migrations.AlterField(
            model_name="image",
            name="pyramid_state",
            field=models.CharField(
                choices=[("waiting", "Waiting"), ("tiled", "Tiled"), ("failed", "Failed"), ("erased", "Erased")],
                default="waiting",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(("pyramid_state__in", ["waiting", "tiled", "failed", "erased"])),
                name="image_pyramid_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("pyramid_state", "erased"), _negated=True),
                    models.Q(("pyramid_fault", ""), ("pyramid_key", "")),
                    _connector="OR",
                ),
                name="image_erased_has_nothing",
            ),
        ),
        migrations.AddField(
            model_name="erratum",
            name="by",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="errata", to="annotation.person"),
        ),
        migrations.AddField(
            model_name="erratum",
            name="release",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="errata", to="annotation.release"),
        ),
        migrations.AddField(
            model_name="takedown",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="takedowns", to="annotation.person"
            ),
        ),
        migrations.AddField(
            model_name="takedown",
            name="image",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="takedown", to="annotation.image"
            ),
        ),
        migrations.AddField(
            model_name="erratum",
            name="takedown",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="errata",
                to="annotation.takedown",
            ),
        ),
        migrations.AddConstraint(
            model_name="takedown",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    django.db.models.lookups.GreaterThan(
                        django.db.models.functions.text.Length(django.db.models.functions.text.Trim("reason")), 0
                    ),
                    django.db.models.lookups.GreaterThan(
                        django.db.models.functions.text.Length(django.db.models.functions.text.Trim("asked_by")), 0
                    ),
                ),
                name="takedown_is_explained",
            ),
        ),
        migrations.AddConstraint(
            model_name="erratum",
            constraint=models.UniqueConstraint(fields=("release", "takedown"), name="erratum_once_per_takedown"),
        ),
        migrations.AddConstraint(
            model_name="erratum",
            constraint=models.CheckConstraint(condition=models.Q(("row_ids__len__gt", 0)), name="erratum_names_rows"),
        ),
        migrations.RunSQL(STAYS, GOES),
        *[migrations.RunSQL(append_only.guard(table), append_only.unguard(table)) for table in TABLES],
        migrations.RunSQL(REVOKE, GRANT),
    ]
