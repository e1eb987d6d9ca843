"""The SQL of claiming, voting and expiring, in the shapes that stay flat at a million items (see docs/decisions/0005).

Three things look odd and are not to be tidied: own votes are asked for as `COALESCE((SELECT false ...), true)`, which
keeps the planner on the ordered index; the walk starts at a random key and wraps around; rows are locked by the same
statement that leases them, with SKIP LOCKED.
"""

# What an annotator is given of an item: nothing of kind, twin, lane or truth.
TASK = """
lease.token, lease.leased_until, i.key AS item, q.text AS question, q.options, m.key AS image, m.width, m.height,
(SELECT max(g.version) FROM guideline g WHERE g.campaign_id = i.campaign_id) AS guideline,
(SELECT d.form FROM draft d WHERE d.assignment_id = lease.id) AS draft
"""

# A lease that ran out but was not swept yet is taken up again: the draft hangs on it.
HELD_TASK = f"""
UPDATE assignment lease SET leased_until =
  CASE WHEN lease.leased_until > now() THEN lease.leased_until ELSE now() + make_interval(secs => c.lease_seconds) END
FROM review_item i JOIN campaign c ON c.id = i.campaign_id JOIN question q ON q.id = i.question_id
JOIN image m ON m.id = q.image_id
WHERE lease.id = %(assignment)s AND lease.live AND i.id = lease.item_id RETURNING {TASK}
"""

# A lease that was ended while a draft hangs on it is given again, if its item may still come to this person. Whoever
# holds the item at this moment is not waited for.
RESUME = f"""
WITH held AS MATERIALIZED (
  SELECT a.id, c.lease_seconds FROM assignment a JOIN review_item i ON i.id = a.item_id JOIN campaign c ON c.id = i.campaign_id
  WHERE a.id = %(assignment)s AND a.person_id = %(person)s AND a.state = 'expired'
    AND i.claimable AND (NOT i.colour_question OR NOT %(skips)s)
    AND NOT EXISTS (SELECT 1 FROM vote v WHERE v.person_id = %(person)s AND v.pair = i.pair)
    AND NOT EXISTS (SELECT 1 FROM assignment l WHERE l.person_id = %(person)s AND l.pair = i.pair AND l.live)
  FOR UPDATE OF i, a SKIP LOCKED),
lease AS (
  UPDATE assignment a SET state = 'leased', renewed_at = now(), leased_until = now() + make_interval(secs => held.lease_seconds)
  FROM held WHERE a.id = held.id RETURNING a.id, a.item_id, a.token, a.leased_until),
log AS (
  INSERT INTO journal_entry (event, actor_id, subject_type, subject_id)
  SELECT 'assignment.leased', %(person)s, 'assignment', id FROM lease)
UPDATE review_item i SET leased = i.leased + 1 FROM lease, question q, image m
WHERE i.id = lease.item_id AND q.id = i.question_id AND m.id = q.image_id RETURNING {TASK}
"""

WALK = """
SELECT x.id, x.pair FROM generate_series(0, 2 * %(lanes)s * %(priorities)s - 1) k CROSS JOIN LATERAL (
  SELECT i.id, i.pair FROM review_item i
  WHERE i.claimable AND i.campaign_id = %(campaign)s
    AND i.lane = ((%(lane)s::int + k / (2 * %(priorities)s)) %% %(lanes)s)::smallint
    AND i.priority = ((k / 2) %% %(priorities)s)::smallint
    AND i.shuffle_key >= CASE WHEN k %% 2 = 0 THEN %(start)s::int ELSE 0 END
    AND i.shuffle_key < CASE WHEN k %% 2 = 0 THEN 2147483647 ELSE %(start)s::int END
    {colour}
    {barred}
    AND COALESCE((SELECT false FROM assignment a WHERE a.person_id = %(person)s AND a.pair = i.pair AND a.live), true)
  ORDER BY i.shuffle_key LIMIT 1 FOR UPDATE OF i SKIP LOCKED) x LIMIT 1
"""

NO_COLOUR = "AND NOT i.colour_question"

SKIPPED = "a.person_id = %(person)s AND a.pair = i.pair AND a.state = 'skipped' AND a.leased_until > now()"

# First nobody meets the twin of what they voted on or just skipped; if nothing else is left, only the last votes are
# kept apart, and what was skipped stays away itself until its lease would have ended.
TWIN_NEVER = f"""
    AND COALESCE((SELECT false FROM vote v WHERE v.person_id = %(person)s AND v.pair = i.pair LIMIT 1), true)
    AND COALESCE((SELECT false FROM assignment a WHERE {SKIPPED} LIMIT 1), true)
"""
TWIN_APART = """
    AND COALESCE((SELECT false FROM vote v WHERE v.person_id = %(person)s AND v.pair = i.pair AND v.item_id = i.id LIMIT 1), true)
    AND i.pair <> ALL (ARRAY(SELECT pair FROM vote WHERE person_id = %(person)s ORDER BY created_at DESC LIMIT %(apart)s))
"""
NOT_SKIPPED = f"AND COALESCE((SELECT false FROM assignment a WHERE {SKIPPED} AND a.item_id = i.id LIMIT 1), true)"


def _claim(colour: str) -> str:
    never, apart = (WALK.format(colour=colour, barred=barred) for barred in (TWIN_NEVER, TWIN_APART + NOT_SKIPPED))
    return f"""
WITH pick AS MATERIALIZED (SELECT c.id, c.pair FROM (({never}) UNION ALL ({apart})) c LIMIT 1),
lease AS (
  INSERT INTO assignment (token, item_id, person_id, pair, state, leased_until)
  SELECT %(token)s, id, %(person)s, pair, 'leased', now() + make_interval(secs => %(seconds)s) FROM pick
  ON CONFLICT DO NOTHING RETURNING id, item_id, token, leased_until),
log AS (
  INSERT INTO journal_entry (event, actor_id, subject_type, subject_id)
  SELECT 'assignment.leased', %(person)s, 'assignment', id FROM lease)
UPDATE review_item i SET leased = i.leased + 1 FROM lease, question q, image m
WHERE i.id = lease.item_id AND q.id = i.question_id AND m.id = q.image_id RETURNING {TASK}
"""


# Two texts, so that each is prepared with the partial index that fits it.
CLAIM = _claim("")
CLAIM_WITHOUT_COLOUR = _claim(NO_COLOUR)

OPEN_TO_PERSON = (
    "i.claimable AND i.campaign_id = %(campaign)s AND (NOT i.colour_question OR NOT %(skips)s)"
    + TWIN_APART
    + "AND COALESCE((SELECT false FROM assignment a WHERE a.person_id = %(person)s AND a.pair = i.pair AND a.live), true)"
)

# Asked without locks after an empty claim. `busy`: another claim held the last seats for a moment. The second look
# starts at what the person skipped, which is little, not at the items.
WHY_NONE = f"""
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM review_item i WHERE {OPEN_TO_PERSON} {NOT_SKIPPED}) THEN 'busy'
  WHEN EXISTS (
    SELECT 1 FROM assignment s JOIN review_item i ON i.id = s.item_id
    WHERE s.person_id = %(person)s AND s.state = 'skipped' AND s.leased_until > now() AND {OPEN_TO_PERSON}) THEN 'skipped-only'
  ELSE 'nothing-left' END
"""

# The item's lock comes first, as in the sweep, so that voters and sweepers never wait for each other in a circle. The
# assignment is locked too: only a locked row is read afresh after waiting, and a sweep that ended the lease meanwhile
# has freed its seat already.
OPEN_BALLOT = """
SELECT a.id AS assignment_id, a.state AS assignment_state, a.pair, a.live, i.id AS item_id, i.state AS item_state, i.needed,
       i.voted, i.round, i.campaign_id, q.id AS question_id, q.options, e.component, m.width, m.height,
       c.votes_needed AS base_needed, c.votes_at_most, c.extra_relation_votes, c.coverage_needed, c.union_coverage_needed, c.dwell_ms, c.target_share, c.zero_count,
       GREATEST(0, LEAST(86400000, EXTRACT(epoch FROM now() - a.created_at) * 1000))::int AS server_ms,
       k.body_hash, k.answer AS first_answer,
       EXISTS (SELECT 1 FROM vote v WHERE v.person_id = %(person)s AND v.pair = i.pair AND v.item_id = i.id) AS voted_before,
       EXISTS (SELECT 1 FROM control t WHERE t.question_id = q.id) AS is_control,
       (SELECT d.id FROM decision d WHERE d.question_id = q.id
        AND NOT EXISTS (SELECT 1 FROM decision n WHERE n.supersedes_id = d.id)) AS current_decision
FROM (SELECT pg_advisory_xact_lock_shared(%(gate)s)) gate,
     assignment a
     JOIN review_item i ON i.id = a.item_id
     JOIN campaign c ON c.id = i.campaign_id
     JOIN question q ON q.id = i.question_id
     JOIN image m ON m.id = q.image_id
     LEFT JOIN edit e ON e.id = q.edit_id
     LEFT JOIN idempotency_key k ON k.actor_id = %(person)s AND k.key = %(client_key)s
WHERE a.token = %(token)s AND a.person_id = %(person)s
FOR UPDATE OF i, a
"""

# One statement writes the vote with all that belongs to it: either everything stands or nothing.
RECORD = """
WITH cast_vote AS (
  INSERT INTO vote (key, assignment_id, item_id, person_id, pair, round, verdict, answer, evidence_kind, evidence, premise, code,
                    waiver, comment, confidence, active_ms, late)
  VALUES (%(key)s, %(assignment)s, %(item)s, %(person)s, %(pair)s, %(round)s, %(verdict)s, %(answer)s, %(evidence_kind)s,
          %(evidence)s, %(premise)s, %(code)s, %(waiver)s, %(comment)s, %(confidence)s, %(active_ms)s, %(late)s)
  RETURNING id),
search AS (
  INSERT INTO search_record (vote_id, trace, grid, grid_version, needed_scale, seen_share, server_ms)
  SELECT id, %(trace)s, %(grid)s, %(grid_version)s, %(needed_scale)s, %(seen_share)s, %(server_ms)s FROM cast_vote),
remember AS (
  INSERT INTO idempotency_key (actor_id, key, body_hash, answer)
  SELECT %(person)s, %(client_key)s, %(body_hash)s, %(first_answer)s FROM cast_vote),
done AS (UPDATE assignment SET state = 'submitted' WHERE id = %(assignment)s),
progress AS (UPDATE membership SET voted = voted + 1 WHERE campaign_id = %(campaign)s AND person_id = %(person)s RETURNING voted),
item AS (
  UPDATE review_item SET leased = leased - %(was_live)s, voted = voted + %(counts)s WHERE id = %(item)s)
SELECT cast_vote.id, (SELECT voted FROM progress) FROM cast_vote
"""

VOTES_OF_ITEM = """
SELECT v.id, v.person_id, v.verdict, v.answer, v.evidence_kind, v.premise, v.waiver, s.seen_share, s.grid, s.needed_scale
FROM vote v LEFT JOIN search_record s ON s.vote_id = v.id
WHERE v.item_id = %(item)s AND NOT v.late AND NOT EXISTS (SELECT 1 FROM vote n WHERE n.supersedes_id = v.id)
ORDER BY v.id
"""

EXPIRE = """
WITH due AS MATERIALIZED (
  SELECT item_id FROM assignment WHERE live AND leased_until IS NOT NULL AND leased_until < now() ORDER BY leased_until LIMIT 1000),
held AS MATERIALIZED (
  SELECT i.id FROM review_item i WHERE i.id IN (SELECT item_id FROM due) ORDER BY i.id FOR UPDATE SKIP LOCKED),
ended AS (
  UPDATE assignment a SET state = 'expired' FROM held WHERE a.item_id = held.id AND a.live AND a.leased_until < now()
  RETURNING a.id, a.item_id, a.person_id),
log AS (
  INSERT INTO journal_entry (event, subject_type, subject_id) SELECT 'assignment.expired', 'assignment', id FROM ended),
per_item AS (SELECT item_id, count(*)::smallint AS n FROM ended GROUP BY item_id)
UPDATE review_item i SET leased = i.leased - per_item.n FROM per_item WHERE i.id = per_item.item_id RETURNING per_item.n
"""

# Ends one lease of one person (a skip), with the same lock order. What the sweep ended already has freed its seat. The
# item stays away from the person as long as a lease taken now would last.
END_LEASE = """
WITH held AS MATERIALIZED (
  SELECT a.id, a.item_id, a.live, c.lease_seconds
  FROM review_item i JOIN assignment a ON a.item_id = i.id JOIN campaign c ON c.id = i.campaign_id
  WHERE a.token = %(token)s AND a.person_id = %(person)s AND a.state IN ('reserved', 'leased', 'expired') FOR UPDATE OF i, a),
ended AS (
  UPDATE assignment a SET state = 'skipped', leased_until = now() + make_interval(secs => held.lease_seconds) FROM held
  WHERE a.id = held.id RETURNING a.id),
log AS (
  INSERT INTO journal_entry (event, actor_id, subject_type, subject_id)
  SELECT 'assignment.skipped', %(person)s, 'assignment', id FROM ended),
freed AS (UPDATE review_item i SET leased = i.leased - 1 FROM held WHERE i.id = held.item_id AND held.live)
SELECT id FROM ended
"""

RENEW = """
UPDATE assignment a SET renewed_at = now(), leased_until = now() + make_interval(secs => c.lease_seconds)
FROM review_item i JOIN campaign c ON c.id = i.campaign_id
WHERE a.token = %(token)s AND a.person_id = %(person)s AND a.live AND i.id = a.item_id RETURNING a.id
"""
