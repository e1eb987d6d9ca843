"""Pages of the two tables that claiming updates keep room, so that updates stay on the page (HOT); see docs/decisions."""

from django.db import migrations

SQL = """
ALTER TABLE review_item SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE assignment SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
"""
UNDO = """
ALTER TABLE review_item RESET (fillfactor, autovacuum_vacuum_scale_factor);
ALTER TABLE assignment RESET (fillfactor, autovacuum_vacuum_scale_factor);
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_rights_of_the_app_role")]
    operations = [migrations.RunSQL(SQL, UNDO)]
