"""The statements of promoting. A row's public key was drawn when it was read, so a question that is standing under
another key is another row's."""

# Which waiting rows have their picture here, and whether their boxes and points lie in it: one pixel over the edge is
# rounding.
ARRIVED = """
SELECT r.id, r.reach IS NULL OR (r.reach[1] < i.width AND r.reach[2] < i.height
                                 AND r.reach[3] <= i.width + 1 AND r.reach[4] <= i.height + 1)
FROM imported_row r
JOIN acquisition a ON a.id = r.acquisition_id AND a.state = 'stored'
JOIN image i ON i.id = a.image_id
WHERE r.batch_id = %(batch)s AND r.unanswerable = %(unanswerable)s AND r.id > %(after)s
  AND (%(acquisitions)s::bigint[] IS NULL OR r.acquisition_id = ANY(%(acquisitions)s::bigint[]))
ORDER BY r.id
LIMIT %(most)s
"""

ADD = """
WITH added AS (
    INSERT INTO question (key, image_id, source_id, batch_id, source_row, text, text_hash, options, prompt_setting,
                          family, kind, state, answers, box, by_id, extra)
    SELECT translate(rtrim(encode(uuid_send(r.question_key), 'base64'), '='), '+/', '-_'),
           a.image_id, a.source_id, r.batch_id, r.source_row, r.text, r.text_hash, r.options, r.prompt_setting,
           r.family, 'original', 'active', r.answers,
           CASE WHEN r.box IS NOT NULL
                THEN ARRAY[r.box[1], r.box[2], least(r.box[3], i.width), least(r.box[4], i.height)] END,
           %(by)s, r.extra
    FROM imported_row r
    JOIN acquisition a ON a.id = r.acquisition_id
    JOIN image i ON i.id = a.image_id
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
JOIN acquisition a ON a.id = r.acquisition_id
JOIN question q ON q.image_id = a.image_id AND q.text_hash = r.text_hash AND q.kind = 'original'
WHERE r.id = ANY(%(ids)s)
  AND q.key <> translate(rtrim(encode(uuid_send(r.question_key), 'base64'), '='), '+/', '-_')
ORDER BY r.id
"""

SETTLED = "DELETE FROM imported_row WHERE id = ANY(%(ids)s)"
