"""Rows of a file wait in a table of their own until the file is read whole and their pictures are here."""

import annotation.models.base
import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models

KEYS = """
UPDATE import_batch SET key = translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_what_was_begun"),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("line", models.PositiveBigIntegerField()),
                ("question_key", models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), editable=False)),
                ("source_row", models.CharField(blank=True, max_length=120)),
                ("text", models.TextField()),
                ("text_hash", models.CharField(max_length=64)),
                ("options", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                (
                    "prompt_setting",
                    models.CharField(
                        choices=[("base", "Base"), ("option", "Option"), ("instruction", "Instruction")], max_length=16
                    ),
                ),
                ("family", models.CharField(blank=True, max_length=40)),
                ("answers", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ("box", django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), null=True, size=4)),
                ("reach", django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), null=True, size=4)),
                ("unanswerable", models.BooleanField()),
                ("reason", models.TextField(blank=True, help_text="Of an unanswerable row: which presupposition fails.")),
                ("extra", models.JSONField(default=dict)),
            ],
            options={
                "db_table": "imported_row",
            },
        ),
        migrations.CreateModel(
            name="UploadedFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ("key", models.CharField(default=annotation.models.base.random_key, editable=False, max_length=22, unique=True)),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("byte_size", models.PositiveBigIntegerField()),
                ("storage_key", models.CharField(max_length=120)),
            ],
            options={
                "db_table": "uploaded_file",
            },
        ),
        migrations.RemoveConstraint(
            model_name="importbatch",
            name="import_batch_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="importbatch",
            name="import_batch_once",
        ),
        migrations.AddField(
            model_name="importbatch",
            name="encoding",
            field=models.CharField(blank=True, default="", help_text="Of a text, as it was declared or detected.", max_length=40),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="file_lines",
            field=models.PositiveBigIntegerField(default=0, help_text="Line ends in the file, to tell how far reading is."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="ignored",
            field=models.JSONField(blank=True, default=dict, help_text="Fields that the layout does not know -> rows."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="key",
            field=models.CharField(default="", editable=False, max_length=22),
        ),
        migrations.RunSQL(KEYS, ""),
        migrations.AlterField(
            model_name="importbatch",
            name="key",
            field=models.CharField(default=annotation.models.base.random_key, editable=False, max_length=22, unique=True),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="left_out",
            field=models.JSONField(blank=True, default=dict, help_text="Reason -> rows."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="options",
            field=models.JSONField(blank=True, default=dict, help_text="What the person chose about the reading."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="options_sha256",
            field=models.CharField(blank=True, default="", help_text="Empty where nothing was chosen.", max_length=64),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="rows_left_out",
            field=models.PositiveIntegerField(default=0, help_text="Sound rows that the import's own filter leaves out."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="rows_waiting",
            field=models.PositiveIntegerField(default=0, help_text="Rows that are read and no questions yet."),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="staged_line",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="staged_on_line",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="importbatch",
            name="state",
            field=models.CharField(
                choices=[("reading", "Reading"), ("storing", "Storing"), ("done", "Done"), ("aborted", "Aborted")],
                default="reading",
                max_length=16,
            ),
        ),
        migrations.AddIndex(
            model_name="importproblem",
            index=models.Index(fields=["batch", "id"], name="import_problem_order"),
        ),
        migrations.AddConstraint(
            model_name="importbatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["reading", "storing", "done", "aborted"])), name="import_batch_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="importbatch",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "aborted"), _negated=True),
                fields=("source", "file_sha256", "importer", "importer_version", "options_sha256"),
                name="import_batch_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="importbatch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["storing", "done"]), _negated=True),
                    (
                        "rows_read",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("rows_accepted"), "+", models.F("rows_known")
                                    ),
                                    "+",
                                    models.F("rows_waiting"),
                                ),
                                "+",
                                models.F("rows_left_out"),
                            ),
                            "+",
                            models.F("rows_rejected"),
                        ),
                    ),
                    _connector="OR",
                ),
                name="import_batch_counts_add_up",
            ),
        ),
        migrations.AddField(
            model_name="importedrow",
            name="acquisition",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="waiting", to="annotation.acquisition"
            ),
        ),
        migrations.AddField(
            model_name="importedrow",
            name="batch",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="waiting", to="annotation.importbatch"
            ),
        ),
        migrations.AddField(
            model_name="uploadedfile",
            name="by",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="uploads", to="annotation.person"),
        ),
        migrations.AddField(
            model_name="uploadedfile",
            name="source",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="uploads", to="annotation.source"),
        ),
        migrations.AddIndex(
            model_name="importedrow",
            index=models.Index(fields=["batch", "id"], name="imported_row_order"),
        ),
        migrations.AddIndex(
            model_name="importedrow",
            index=models.Index(condition=models.Q(("unanswerable", True)), fields=["batch", "id"], name="imported_row_edits"),
        ),
        migrations.AddConstraint(
            model_name="importedrow",
            constraint=models.CheckConstraint(
                condition=models.Q(("prompt_setting__in", ["base", "option", "instruction"])),
                name="imported_row_prompt_setting_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="uploadedfile",
            constraint=models.UniqueConstraint(fields=("source", "sha256"), name="uploaded_file_once"),
        ),
    ]
