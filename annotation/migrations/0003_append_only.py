"""Facts are only ever added: triggers refuse UPDATE, DELETE and TRUNCATE, also to the owner."""

from django.db import migrations

TABLES = [
    "model_call",
    "model_reply",
    "reply_class",
    "guideline",
    "vote",
    "search_record",
    "idempotency_key",
    "decision",
    "annotator_skill",
    "label_opening",
    "journal_entry",
    "checkpoint",
]

FUNCTION = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused. Add a new row that supersedes the old one.', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;
"""


def guard(table: str) -> str:
    return f"""
    CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER {table}_never_emptied BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    """


def unguard(table: str) -> str:
    return f"DROP TRIGGER {table}_append_only ON {table}; DROP TRIGGER {table}_never_emptied ON {table};"


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_revisions_stay_with_their_own")]
    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION refuse_change();"),
        *[migrations.RunSQL(guard(table), unguard(table)) for table in TABLES],
    ]
