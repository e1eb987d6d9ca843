"""Looks of pictures: a small grey view and three hashes each, which pictures are copies, and what people ruled about it."""

from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


append_only = import_module("annotation.migrations.0003_append_only")

# Beside its table, so that a scan of the hashes reads no view.
ASIDE = "ALTER TABLE image_look ALTER COLUMN thumb SET STORAGE EXTERNAL;"
REVOKE = "REVOKE UPDATE, DELETE, TRUNCATE ON cluster_ruling FROM app;"
GRANT = "GRANT UPDATE, DELETE ON cluster_ruling TO app;"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0012_fetching_by_rules"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClusterRuling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("same", models.BooleanField()),
                ("reason", models.TextField()),
            ],
            options={
                "db_table": "cluster_ruling",
            },
        ),
        migrations.CreateModel(
            name="ImageLikeness",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveSmallIntegerField()),
                ("mirrored", models.BooleanField()),
                ("bits", models.PositiveSmallIntegerField(help_text="That differ between the nearest two hashes, of 63.")),
                ("correlation", models.FloatField()),
                ("detail", models.FloatField()),
                ("worst", models.FloatField()),
                ("overlap", models.FloatField()),
            ],
            options={
                "db_table": "image_likeness",
            },
        ),
        migrations.CreateModel(
            name="ImageLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveSmallIntegerField(help_text="Of the rule.")),
                ("thumb", models.BinaryField()),
                ("telling", models.BooleanField(help_text="Whether there is enough in it to judge by.")),
                ("hash_whole", models.BigIntegerField()),
                ("hash_trimmed", models.BigIntegerField()),
                ("hash_inner", models.BigIntegerField()),
            ],
            options={
                "db_table": "image_look",
            },
        ),
        migrations.RemoveField(
            model_name="image",
            name="average_hash",
        ),
        migrations.RemoveField(
            model_name="image",
            name="difference_hash",
        ),
        migrations.AlterField(
            model_name="image",
            name="cluster",
            field=models.PositiveBigIntegerField(
                blank=True, help_text="Copies of one picture share a cluster, named by its oldest.", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(fields=["cluster", "id"], name="image_by_cluster"),
        ),
        migrations.AddField(
            model_name="clusterruling",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="cluster_rulings", to="annotation.person"
            ),
        ),
        migrations.AddField(
            model_name="clusterruling",
            name="one",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="annotation.image"),
        ),
        migrations.AddField(
            model_name="clusterruling",
            name="other",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rulings_of_older", to="annotation.image"
            ),
        ),
        migrations.AddField(
            model_name="imagelikeness",
            name="one",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="likenesses", to="annotation.image"
            ),
        ),
        migrations.AddField(
            model_name="imagelikeness",
            name="other",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="likenesses_of_older", to="annotation.image"
            ),
        ),
        migrations.AddField(
            model_name="imagelook",
            name="image",
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name="look", to="annotation.image"),
        ),
        migrations.AddIndex(
            model_name="clusterruling",
            index=models.Index(fields=["one", "other", "-id"], name="cluster_ruling_newest"),
        ),
        migrations.AddConstraint(
            model_name="clusterruling",
            constraint=models.CheckConstraint(condition=models.Q(("one__lt", models.F("other"))), name="cluster_ruling_ordered"),
        ),
        migrations.AddConstraint(
            model_name="clusterruling",
            constraint=models.CheckConstraint(
                condition=django.db.models.lookups.GreaterThan(
                    django.db.models.functions.text.Length(django.db.models.functions.text.Trim("reason")), 0
                ),
                name="cluster_ruling_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="imagelikeness",
            constraint=models.UniqueConstraint(fields=("one", "other"), name="image_likeness_once"),
        ),
        migrations.AddConstraint(
            model_name="imagelikeness",
            constraint=models.CheckConstraint(condition=models.Q(("one__lt", models.F("other"))), name="image_likeness_ordered"),
        ),
        migrations.RunSQL(ASIDE, migrations.RunSQL.noop),
        migrations.RunSQL(append_only.guard("cluster_ruling"), append_only.unguard("cluster_ruling")),
        migrations.RunSQL(REVOKE, GRANT),
    ]
