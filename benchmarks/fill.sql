-- Rows by the million: originals with their edited twins, all in one campaign, some of them voted on.
--
-- Read from settings: bench.items, bench.settled, bench.begun, bench.heavy (see benchmarks/databases.py).
-- Persons: 1 built everything, 2 to 65 voted, 66 and 67 are heavy annotators, 68 to 99 are the ones who will be measured.

SELECT setseed(0.5);

INSERT INTO person_user (id, password, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined, roles)
SELECT n, '!', false, 'user ' || n, '', '', '', false, true, now(), CASE WHEN n = 1 THEN '{maintainer}' ELSE '{annotator}' END::text[]
FROM generate_series(1, 99) n;

INSERT INTO person (id, key, user_id, pseudonym, skips_colour, reads, simulated)
SELECT n, 'person-' || n, n, 'person ' || n, n % 4 = 0, '{}', false FROM generate_series(1, 99) n;

INSERT INTO campaign (id, key, name, state, votes_needed, votes_at_most, extra_relation_votes, coverage_needed,
                      union_coverage_needed, dwell_ms, target_share, zero_count, lease_seconds, twin_distance, by_id)
VALUES (1, 'campaign-1', 'Bench', 'open', 3, 5, 1, 0.9, 0.99, 300, 0.005, 'reject', 600, 50, 1);
INSERT INTO guideline (campaign_id, version, text, by_id) VALUES (1, 1, 'Look before you answer.', 1);
INSERT INTO membership (campaign_id, person_id, active, voted) SELECT 1, n, true, 0 FROM generate_series(2, 99) n;

INSERT INTO source (id, key, name, homepage, licence, images_redistributable, citation)
VALUES (1, 'bench', 'Bench', '', 'CC-BY-4.0', true, '');
INSERT INTO image (id, key, sha256, width, height, format, byte_size, source_id, attribution, licence,
                   storage_key, pyramid_key, pyramid_state, pyramid_fault)
SELECT n, 'image-' || n, md5(n::text) || md5((-n)::text), 6000, 4000, 'jpeg', 9000000, 1, '', '', 'originals/' || n,
       'pyramids/' || n, 'tiled', ''
FROM generate_series(1, 2000) n;

-- Twin pair n: the original has id n, its edit has id n + half.
INSERT INTO question (id, key, image_id, source_id, source_row, text, text_hash, options, prompt_setting, family, kind, state,
                      answers, by_id, extra)
SELECT n, left(md5('q' || n), 22), 1 + n % 2000, 1, n::text, 'What is standing beside kettle number ' || n || '?',
       md5(n::text) || md5((-n)::text), '{}', 'base', 'object', 'original', 'active', '{green}', 1, '{}'
FROM generate_series(1, current_setting('bench.items')::int / 2) n;

INSERT INTO edit (id, component, operation, subtype, original_text, span_start, span_end, old_phrase, new_phrase, tuples, reason,
                  engine)
SELECT n, (ARRAY['object', 'relation', 'attribute'])[1 + n % 3], 'replace', '', 'What is standing beside kettle number ' || n || '?',
       24, 30, 'kettle', 'teapot', '[]', 'There is no teapot.', 'hand'
FROM generate_series(1, current_setting('bench.items')::int / 2) n;

INSERT INTO question (id, key, image_id, source_id, source_row, text, text_hash, options, prompt_setting, family, kind, state,
                      answers, parent_id, edit_id, by_id, extra)
SELECT n + current_setting('bench.items')::int / 2, left(md5('e' || n), 22), 1 + n % 2000, 1, n::text,
       'What is standing beside teapot number ' || n || '?', md5('e' || n) || md5('f' || n), '{}', 'base', 'object', 'edited',
       'candidate', '{}', n, n, 1, '{}'
FROM generate_series(1, current_setting('bench.items')::int / 2) n;

-- Which items have votes. The place of an item in a scattered order decides; every third of the most urgent items has two
-- votes, so that one vote in three settles an item, as in real work. (Hashes, since one statement shares its random().)
CREATE TEMPORARY TABLE plan AS
SELECT q.id, COALESCE(q.parent_id, q.id) AS pair, q.kind, e.component,
       row_number() OVER (ORDER BY hashint8extended(q.id, 1)) AS place,
       ((hashint8extended(q.id, 2) & 2147483647) % 2147483647)::int AS shuffle_key,
       (hashint8extended(q.id, 3) & 1023) / 1024.0 AS dice, 0 AS votes
FROM question q LEFT JOIN edit e ON e.id = q.edit_id;
UPDATE plan SET votes = CASE WHEN place <= current_setting('bench.settled')::int THEN 3
                             WHEN place % 3 = 0 AND (dice < 0.1 OR current_setting('bench.items')::int <= 10000) THEN 2
                             WHEN place <= current_setting('bench.settled')::int + current_setting('bench.begun')::int THEN 1
                             ELSE 0 END;

CREATE TEMPORARY TABLE ballot AS
SELECT row_number() OVER () AS id, p.id AS item, 2 + (p.place + voice) % 64 AS person, p.pair
FROM plan p CROSS JOIN LATERAL generate_series(1, p.votes) voice;
INSERT INTO ballot
SELECT (SELECT COALESCE(max(id), 0) FROM ballot) + row_number() OVER (), item, person, pair FROM (
  SELECT p.id AS item, person, p.pair,
         row_number() OVER (PARTITION BY person ORDER BY md5(p.id || ':' || person)) AS place
  FROM plan p CROSS JOIN generate_series(66, 67) person
  WHERE p.votes = 0 AND current_setting('bench.heavy')::int > 0) scattered
WHERE place <= current_setting('bench.heavy')::int;

INSERT INTO review_item (id, key, campaign_id, question_id, round, pair, colour_question, lane, priority, shuffle_key, needed,
                         leased, voted, state, dispute_reason)
SELECT p.id, left(md5('i' || p.id), 22), 1, p.id, 1, p.pair, p.pair % 5 = 0,
       (CASE WHEN p.kind = 'original' THEN 0 ELSE 1 END) + 2 * (p.place % 2),
       CASE WHEN p.dice < 0.1 THEN 0 WHEN p.dice < 0.4 THEN 1 ELSE 2 END, p.shuffle_key,
       CASE WHEN p.component = 'relation' THEN 4 ELSE 3 END, 0, COALESCE(b.n, 0),
       CASE WHEN p.place <= current_setting('bench.settled')::int THEN 'settled' ELSE 'open' END, ''
FROM plan p LEFT JOIN (SELECT item, count(*) AS n FROM ballot GROUP BY item) b ON b.item = p.id
ORDER BY p.id;

-- A month of work, about a thousand votes a day and person at the most.
INSERT INTO assignment (id, token, item_id, person_id, pair, state, leased_until, created_at)
SELECT id, left(md5('a' || id), 22), item, person, pair, 'submitted', now() - interval '1 day', now() - (1 + random() * 60) * interval '1 day'
FROM ballot;
INSERT INTO vote (id, key, assignment_id, item_id, person_id, pair, round, verdict, answer, evidence_kind, evidence, premise, code,
                  waiver, comment, active_ms, late, created_at)
SELECT id, left(md5('v' || id), 22), id, item, person, pair, 1, 'unanswerable', '', 'box', '{"boxes": [[10, 10, 60, 60]], "points": []}',
       'object', '', '', '', 20000, false, now() - (1 + random() * 60) * interval '1 day'
FROM ballot;
-- Only where the next vote may settle the item: the others' search records are not read by anything measured here.
INSERT INTO search_record (vote_id, trace, grid, grid_version, needed_scale, seen_share, server_ms)
SELECT b.id, '[]', '{"version": "grid-1", "width": 6000, "height": 4000, "bands": {}}', 'grid-1', 0.4, 0, 20000
FROM ballot b JOIN review_item i ON i.id = b.item WHERE i.state = 'open' AND i.voted >= 2;

-- Finished leases that came to nothing, so that no plan is made for an empty table.
INSERT INTO assignment (id, token, item_id, person_id, pair, state, leased_until, created_at)
SELECT (SELECT count(*) FROM ballot) + n, left(md5('s' || n), 22), i.id, 2 + n % 64, i.pair, 'expired', now() - interval '1 day', now() - interval '1 day'
FROM generate_series(1, 200000) n JOIN review_item i ON i.id = 1 + (n * 7919) % current_setting('bench.items')::int;
DROP TABLE plan, ballot;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['person_user', 'person', 'campaign', 'source', 'image', 'question', 'edit', 'review_item',
                              'assignment', 'vote'] LOOP
    EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, ''id''), max(id)) FROM %I', name, name);
  END LOOP;
END $$;
