"""The statements of promoting. A row's public key was drawn when it was read, so a question that is standing under
another key is another row's."""

# The next waiting rows, of a batch or of some pictures; which of them have their picture here, in this lane; and whether
# their boxes and points lie in it: one pixel over the edge is rounding. A few rows are looked at at a time, each by its
# key, because right after a large import nothing is known about these tables, and a plan for few rows would take hours
# for many. For the same reason every other statement looks pictures up by key, behind OFFSET 0, which the planner does
# not undo: left to itself it joins by hashing all pictures that there are, anew for every few thousand rows.
WINDOW = """
SELECT id, acquisition_id, reach FROM imported_row
WHERE batch_id = %(batch)s AND unanswerable = %(unanswerable)s AND id > %(after)s
ORDER BY id LIMIT %(most)s
"""
WINDOW_OF_PICTURES = """
SELECT id, acquisition_id, reach
FROM (SELECT * FROM imported_row WHERE acquisition_id = ANY(%(acquisitions)s::bigint[]) OFFSET 0) AS of_pictures
WHERE batch_id = %(batch)s AND unanswerable = %(unanswerable)s AND id > %(after)s
ORDER BY id LIMIT %(most)s
"""
ARRIVED = """
WITH w AS MATERIALIZED ({window})
SELECT w.id, here.image_id IS NOT NULL AND mod(here.image_id, %(lanes)s) = %(lane)s,
       w.reach IS NULL OR (w.reach[1] < here.width AND w.reach[2] < here.height
                           AND w.reach[3] <= here.width + 1 AND w.reach[4] <= here.height + 1)
FROM w
LEFT JOIN LATERAL (
    SELECT a.image_id, i.width, i.height
    FROM acquisition a JOIN image i ON i.id = a.image_id
    WHERE a.id = w.acquisition_id AND a.state = 'stored'
    OFFSET 0
) AS here ON true
ORDER BY w.id
"""
ARRIVED_OF_BATCH = ARRIVED.replace("{window}", WINDOW)
ARRIVED_OF_PICTURES = ARRIVED.replace("{window}", WINDOW_OF_PICTURES)

ADD = """
WITH added AS (
    INSERT INTO question (key, image_id, source_id, batch_id, source_row, text, text_hash, options, prompt_setting,
                          family, kind, state, answers, box, by_id, extra)
    SELECT translate(rtrim(encode(uuid_send(r.question_key), 'base64'), '='), '+/', '-_'),
           here.image_id, here.source_id, r.batch_id, r.source_row, r.text, r.text_hash, r.options, r.prompt_setting,
           r.family, 'original', 'active', r.answers,
           CASE WHEN r.box IS NOT NULL
                THEN ARRAY[r.box[1], r.box[2], least(r.box[3], here.width), least(r.box[4], here.height)] END,
           %(by)s, r.extra
    FROM imported_row r
    CROSS JOIN LATERAL (
        SELECT a.image_id, a.source_id, i.width, i.height
        FROM acquisition a JOIN image i ON i.id = a.image_id
        WHERE a.id = r.acquisition_id
        OFFSET 0
    ) AS here
    WHERE r.id = ANY(%(ids)s)
    ORDER BY r.id
    ON CONFLICT (image_id, text_hash, kind) DO NOTHING
    RETURNING key
)
SELECT count(*), encode(sha256(convert_to(coalesce(string_agg(key, ',' ORDER BY key COLLATE "C"), ''), 'UTF8')), 'hex')
FROM added
"""

# The rows whose question was standing before them, with both answers.
STANDING = """
SELECT r.line, r.answers, q.answers
FROM imported_row r
CROSS JOIN LATERAL (
    SELECT o.key, o.answers
    FROM acquisition a JOIN question o ON o.image_id = a.image_id
    WHERE a.id = r.acquisition_id AND o.text_hash = r.text_hash AND o.kind = 'original'
    OFFSET 0
) AS q
WHERE r.id = ANY(%(ids)s)
  AND q.key <> translate(rtrim(encode(uuid_send(r.question_key), 'base64'), '='), '+/', '-_')
ORDER BY r.id
"""

SETTLED = "DELETE FROM imported_row WHERE id = ANY(%(ids)s)"
