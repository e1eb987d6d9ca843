"""A vote may only supersede the same person's vote on the same item, a decision only one of the same question."""

from django.db import migrations

SQL = """
ALTER TABLE vote ADD CONSTRAINT vote_supersedes_own FOREIGN KEY (supersedes_id, item_id, person_id)
    REFERENCES vote (id, item_id, person_id);
ALTER TABLE decision ADD CONSTRAINT decision_supersedes_own FOREIGN KEY (supersedes_id, question_id)
    REFERENCES decision (id, question_id);
"""
UNDO = """
ALTER TABLE decision DROP CONSTRAINT decision_supersedes_own;
ALTER TABLE vote DROP CONSTRAINT vote_supersedes_own;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_tables")]
    operations = [migrations.RunSQL(SQL, UNDO)]
