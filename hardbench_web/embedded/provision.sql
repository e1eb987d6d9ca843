-- What the cluster needs before the first migration. Run by psql as a superuser; running it again changes nothing.
--
--   psql -X -v ON_ERROR_STOP=1 -d postgres -f hardbench_web/embedded/provision.sql
--
-- `owner` migrates. `app` is what the product runs as: it owns nothing, so it cannot drop a trigger or a table.
-- Passwords are set apart from this file: ALTER ROLE app PASSWORD '...'
-- `-v for_tests=on` adds what only test clusters may have.

\set QUIET on
SET client_min_messages = warning;

SELECT 'CREATE ROLE owner LOGIN CREATEDB' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'owner') \gexec
SELECT 'CREATE ROLE app LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app') \gexec
SELECT 'CREATE DATABASE hardbench OWNER owner' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'hardbench') \gexec

\connect hardbench
SET client_min_messages = warning;
ALTER SCHEMA public OWNER TO owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO app;
ALTER DEFAULT PRIVILEGES FOR ROLE owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO app;

\if :{?for_tests}
  -- The tests' flush empties append-only tables; nothing else may.
  GRANT SET ON PARAMETER session_replication_role TO owner;
  -- Test databases are copies of template1 and take its default privileges with them.
  \connect template1
  SET client_min_messages = warning;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  ALTER DEFAULT PRIVILEGES FOR ROLE owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO app;
  ALTER DEFAULT PRIVILEGES FOR ROLE owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO app;
\endif
