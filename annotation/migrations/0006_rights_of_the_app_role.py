"""The role `app` only adds to and reads the append-only tables. Both roles are made before migrating (embedded/provision.sql)."""

from importlib import import_module

from django.db import migrations

TABLES = import_module("annotation.migrations.0003_append_only").TABLES

REVOKE = "\n".join(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM app;" for table in TABLES)
GRANT = "\n".join(f"GRANT UPDATE, DELETE ON {table} TO app;" for table in TABLES)

# Sealing needs a table lock that `app` may not take itself; this function does only that, as its owner.
HOLD = """
CREATE FUNCTION hold_journal() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
    LOCK TABLE checkpoint IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE journal_entry IN SHARE MODE;
$$;
REVOKE ALL ON FUNCTION hold_journal() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_journal() TO app;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_budgets_and_scores_hold")]
    operations = [migrations.RunSQL(REVOKE, GRANT), migrations.RunSQL(HOLD, "DROP FUNCTION hold_journal();")]
