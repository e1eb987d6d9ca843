"""The shared cache behind the log-in limits (Django's database cache)."""

from django.db import migrations

SQL = """
CREATE TABLE cache_entry (cache_key varchar(255) PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL);
CREATE INDEX cache_entry_expires ON cache_entry (expires);
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_room_for_claiming")]
    operations = [migrations.RunSQL(SQL, "DROP TABLE cache_entry;")]
