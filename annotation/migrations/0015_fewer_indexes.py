"""Indexes that no statement looks into are gone from what imports write; those of edits hold edits only."""

import annotation.models.base
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_pictures_taken_down"),
    ]

    operations = [
        migrations.AlterField(
            model_name="importedrow",
            name="batch",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="waiting", to="annotation.importbatch"
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="batch",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="questions",
                to="annotation.importbatch",
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="by",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="annotation.person"
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="edit",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="questions",
                to="annotation.edit",
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="image",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="annotation.image"
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="key",
            field=models.CharField(default=annotation.models.base.random_key, editable=False, max_length=22),
        ),
        migrations.AlterField(
            model_name="question",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="children",
                to="annotation.question",
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="run",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="questions",
                to="annotation.generationrun",
            ),
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(condition=models.Q(("parent__isnull", False)), fields=["parent"], name="question_by_parent"),
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(condition=models.Q(("edit__isnull", False)), fields=["edit"], name="question_by_edit"),
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(condition=models.Q(("run__isnull", False)), fields=["run"], name="question_by_run"),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(fields=("key",), name="question_key_once"),
        ),
    ]
