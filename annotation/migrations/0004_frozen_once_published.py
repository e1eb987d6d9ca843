"""After publication a release can only be withdrawn, and neither rows nor files can be added, changed or removed."""

from django.db import migrations

SQL = """
CREATE FUNCTION keep_published_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION 'release may hold published releases: TRUNCATE is refused.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state NOT IN ('published', 'withdrawn') THEN
        RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.state = 'published' AND NEW.state = 'withdrawn'
       AND to_jsonb(NEW) - 'state' - 'withdrawn_at' = to_jsonb(OLD) - 'state' - 'withdrawn_at' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'Release % is %: it can only be withdrawn. Build a new version instead.', OLD.version, OLD.state
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER release_published BEFORE UPDATE OR DELETE ON release FOR EACH ROW EXECUTE FUNCTION keep_published_release();
CREATE TRIGGER release_never_emptied BEFORE TRUNCATE ON release FOR EACH STATEMENT EXECUTE FUNCTION keep_published_release();

CREATE FUNCTION keep_published_parts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE parent bigint; frozen text;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION '% may belong to published releases: TRUNCATE is refused.', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    FOR parent IN SELECT DISTINCT unnest(CASE TG_OP WHEN 'INSERT' THEN ARRAY[NEW.release_id] WHEN 'DELETE' THEN ARRAY[OLD.release_id]
                                         ELSE ARRAY[OLD.release_id, NEW.release_id] END) LOOP
        SELECT version INTO frozen FROM release WHERE id = parent AND state IN ('published', 'withdrawn') FOR SHARE;
        IF frozen IS NOT NULL THEN
            RAISE EXCEPTION 'Release % is published: % on % is refused. Build a new version instead.', frozen, TG_OP, TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
    END LOOP;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER release_row_frozen BEFORE INSERT OR UPDATE OR DELETE ON release_row
    FOR EACH ROW EXECUTE FUNCTION keep_published_parts();
CREATE TRIGGER release_row_never_emptied BEFORE TRUNCATE ON release_row FOR EACH STATEMENT EXECUTE FUNCTION keep_published_parts();
CREATE TRIGGER artifact_frozen BEFORE INSERT OR UPDATE OR DELETE ON artifact
    FOR EACH ROW EXECUTE FUNCTION keep_published_parts();
CREATE TRIGGER artifact_never_emptied BEFORE TRUNCATE ON artifact FOR EACH STATEMENT EXECUTE FUNCTION keep_published_parts();
"""
UNDO = """
DROP TRIGGER artifact_never_emptied ON artifact;
DROP TRIGGER artifact_frozen ON artifact;
DROP TRIGGER release_row_never_emptied ON release_row;
DROP TRIGGER release_row_frozen ON release_row;
DROP FUNCTION keep_published_parts();
DROP TRIGGER release_never_emptied ON release;
DROP TRIGGER release_published ON release;
DROP FUNCTION keep_published_release();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_append_only")]
    operations = [migrations.RunSQL(SQL, UNDO)]
