"""Reserving past a run's budget is refused, and so is changing a finished score."""

from django.db import migrations

SQL = """
CREATE FUNCTION keep_budget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.reserved > OLD.reserved AND NEW.reserved + NEW.spent > NEW.budget THEN
        RAISE EXCEPTION 'Generation run % would reserve past its budget.', OLD.key USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER generation_run_budget BEFORE UPDATE ON generation_run FOR EACH ROW EXECUTE FUNCTION keep_budget();

CREATE FUNCTION keep_finished_score() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' OR OLD.state = 'finished' THEN
        RAISE EXCEPTION 'A finished score never changes: % is refused. Score again with a newer version.', TG_OP
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER score_finished BEFORE UPDATE OR DELETE ON score FOR EACH ROW EXECUTE FUNCTION keep_finished_score();
CREATE TRIGGER score_never_emptied BEFORE TRUNCATE ON score FOR EACH STATEMENT EXECUTE FUNCTION keep_finished_score();
"""
UNDO = """
DROP TRIGGER score_never_emptied ON score;
DROP TRIGGER score_finished ON score;
DROP FUNCTION keep_finished_score();
DROP TRIGGER generation_run_budget ON generation_run;
DROP FUNCTION keep_budget();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_frozen_once_published")]
    operations = [migrations.RunSQL(SQL, UNDO)]
