// Evaluate the condition trees of cells, leaves first: the time spans of each choice of occurrences.
//
// `lineagegraph/triggers/truths.py` is the same algorithm in memory: change both, a property test in
// tests/integration/scheduling/test_preview.py compares them.
//
// A span is one choice of occurrences: `lo` and `hi` are the times of its first and last occurrence
// in microseconds, `keys` are the occurrences, and `of` is the run, version or event of a span that is
// about one, or empty. A leaf that needs several gives the key of the first one only: the others follow
// it, and thousands of lists of thousands of keys would not fit into memory.
// A condition is true if it has at least one span.
// A `windowed` operator is within a bound (its own `within` or that of an operator above). It keeps all
// minimal spans to choose from; other operators keep the oldest one.
UNWIND $ids AS id
MATCH (t:Trigger)-[:HAS_CELL]->(cell:Cell {id: id})
// Step 1: the nodes of the condition tree, sorted by height: operands before their operators.
// `operands` are the positive operands. `bars` are the conditions under NOT operands:
// they give no spans to choose, they only reject spans in step 5.
CALL (t) {
  MATCH (t)-[:HAS_CONDITION]->(c:Condition)
  WITH c ORDER BY c.height, c.id
  RETURN collect(c {
    .id, .operator, .text, .windowed, .need, within: toInteger(c.within * 1000000),
    operands: COLLECT {
      MATCH (c)-[o:OPERAND]->(x:Condition) WHERE x.operator <> 'NOT' RETURN x.id ORDER BY o.position
    },
    bars: COLLECT {
      MATCH (c)-[:OPERAND]->(:Condition {operator: 'NOT'})-[:OPERAND]->(x:Condition) RETURN x.id
    }
  }) AS nodes
}
// Step 2: the occurrences that the cell holds and that have not expired, in order of time.
// The key breaks ties, so that the result does not depend on the order of storage.
// Of a leaf that needs one, thousands may wait for another leaf: the 564 oldest and newest are enough
// for 500 firings in a row (`lineagegraph/triggers/fire.py`), with 64 left at both ends.
CALL (cell, nodes) {
  MATCH (cell)-[h:HOLDS]->()
  WHERE h.until IS NULL OR h.until >= coalesce($now, datetime.realtime())
  WITH nodes, h ORDER BY h.occurred_at.epochSeconds, h.occurred_at.microsecond, h.key
  WITH nodes, h.condition_id AS condition_id, collect(h) AS some
  WITH some, 564 AS edge, head([c IN nodes WHERE c.id = condition_id]).need AS need
  UNWIND CASE
    WHEN need = 1 AND size(some) > 2 * edge THEN some[..edge] + some[-edge..]
    ELSE some
  END AS h
  WITH h, endNode(h) AS what,
    h.occurred_at.epochSeconds * 1000000 + h.occurred_at.microsecond AS at
  ORDER BY at, h.key
  RETURN collect({
    condition_id: h.condition_id, key: h.key, at: at, status: h.status, part: h.part,
    occurred_at: toString(h.occurred_at), subject: coalesce(what.id, what.key)
  }) AS held
}
// Step 3: the occurrences of each leaf that are tried. If several are needed, repeated ones of the same
// part (such as a partition) count once: keep the newest of each part. Then limit the work: try the 63
// oldest and newest beside those needed.
CALL (held, nodes) {
  UNWIND [c IN nodes WHERE c.operands = [] AND c.operator <> 'NOT'] AS c
  UNWIND [h IN held WHERE h.condition_id = c.id] AS h
  WITH c, CASE WHEN c.need = 1 THEN h.key ELSE h.part END AS part, h ORDER BY h.at, h.key
  WITH c, part, collect(h)[-1] AS newest ORDER BY newest.at, newest.key
  WITH c.id AS id, c.need + 63 AS edge, collect(newest) AS new
  RETURN collect({
    id: id,
    new: CASE WHEN size(new) > 2 * edge THEN new[..edge] + new[-edge..] ELSE new END
  }) AS tried
}
// Step 4: compute the spans of each node. `known` collects the nodes that are done, so an
// operator finds the spans of its operands in it. Cypher has no local variables in expressions:
// `[name IN [value] | expression][0]` binds a name.
WITH t, cell, held, reduce(known = [], c IN nodes | known + [spans IN [
  CASE
    // A NOT has no spans itself: its parent reads the operand through `bars`.
    WHEN c.operator = 'NOT' THEN []
    // A leaf: every run of `need` consecutive occurrences is a span, of which the first and last 64
    // are tried.
    WHEN c.operands = [] THEN
      [new IN [coalesce(head([k IN tried WHERE k.id = c.id]).new, [])] |
        [firsts IN [range(0, size(new) - c.need)] |
          [i IN CASE
              WHEN size(firsts) > 128 THEN firsts[..64] + firsts[-64..]
              ELSE firsts
            END | {
            lo: new[i].at,
            hi: new[i + c.need - 1].at,
            of: CASE WHEN c.need = 1 THEN coalesce(new[i].subject, '') ELSE '' END,
            keys: [new[i].key]
          }]
        ][0]
      ][0]
    // A SEQUENCE: for each span of the first operand, append from each next operand the span
    // that ends first among those that begin after the end of the chain.
    WHEN c.operator = 'SEQUENCE' THEN
      [parts IN [[id IN c.operands | head([k IN known WHERE k.id = id]).spans]] |
        [chain IN
          [first IN parts[0] |
            reduce(chain = [first], part IN tail(parts) | chain + [
              reduce(best = null, y IN part |
                CASE WHEN y.lo > last(chain).hi AND (best IS NULL OR y.hi < best.hi)
                  THEN y ELSE best END)
            ])
          ]
          // A null link means that an operand has no later span: the chain is incomplete.
          WHERE none(link IN chain WHERE link IS NULL) |
          {
            lo: chain[0].lo,
            hi: last(chain).hi,
            of: '',
            keys: reduce(keys = [], link IN chain | keys + link.keys)
          }
        ]
      ][0]
    ELSE
      // AND, OR and AT_LEAST differ only in `need`: all operands, one, or a number.
      [parts IN [[id IN c.operands | head([k IN known WHERE k.id = id]).spans]] |
        [span IN
          // For each possible start of a choice, take from each operand the span at or after the
          // start that ends first. Without `windowed` one start before all times is enough.
          [start IN
            CASE WHEN c.windowed
              THEN reduce(starts = [], part IN parts | starts + [y IN part | y.lo])
              ELSE [-9223372036854775807]
            END |
            [ends IN [
              [end IN
                [part IN parts |
                  reduce(best = null, y IN part |
                    CASE WHEN y.lo >= start
                        AND (best IS NULL OR y.hi < best.hi OR y.hi = best.hi AND y.lo < best.lo)
                      THEN y ELSE best END)
                ]
                WHERE end IS NOT NULL]] |
              // Of these ends, choose the `need` earliest; of equal ones those of the lower subject.
              // What is about the same run, version or event as a chosen one goes with it: it
              // would be true again for the same reason.
              [first IN [
                [i IN range(0, size(ends) - 1) WHERE size([j IN range(0, size(ends) - 1)
                  WHERE ends[j].hi < ends[i].hi OR ends[j].hi = ends[i].hi
                    AND (ends[j].lo < ends[i].lo OR ends[j].lo = ends[i].lo
                      AND (ends[j].of < ends[i].of OR ends[j].of = ends[i].of AND j < i))
                ]) < c.need | ends[i]]] |
                [chosen IN [[e IN ends WHERE e IN first
                    OR e.of <> '' AND any(f IN first WHERE f.of = e.of AND f.hi = e.hi)]] | {
                  start: start,
                  size: size(ends),
                  lo: reduce(lo = 9223372036854775807, e IN chosen |
                    CASE WHEN e.lo < lo THEN e.lo ELSE lo END),
                  hi: reduce(hi = -9223372036854775807, e IN chosen |
                    CASE WHEN e.hi > hi THEN e.hi ELSE hi END),
                  of: CASE WHEN c.need = 1 THEN chosen[0].of ELSE '' END,
                  keys: reduce(keys = [], e IN chosen | keys + e.keys)
                }][0]
              ][0]
            ][0]
          ]
          // Drop incomplete choices. If the choice begins later than its start, the later start
          // finds the same choice: keep it only once.
          WHERE span.size >= c.need AND (NOT c.windowed OR span.start = span.lo) | span
        ]
      ][0]
  END] | {
  id: c.id,
  text: c.text,
  operator: c.operator,
  operands: c.operands,
  bars: c.bars,
  windowed: c.windowed,
  need: c.need,
  within: c.within,
  // Step 5: drop spans that are longer than `within` (a leaf has its own expiry instead), and
  // spans with which a forbidden occurrence fits into `within`. Without `within`, any forbidden
  // occurrence rejects all spans.
  spans: [s IN spans
    WHERE (c.within IS NULL OR c.operands = [] OR s.hi - s.lo <= c.within)
      AND none(id IN c.bars WHERE any(y IN head([k IN known WHERE k.id = id]).spans
        WHERE c.within IS NULL
          OR CASE WHEN y.hi > s.hi THEN y.hi ELSE s.hi END
             - CASE WHEN y.lo < s.lo THEN y.lo ELSE s.lo END <= c.within)) |
    s {.lo, .hi, .of, .keys}]
}]) AS truths
RETURN
  cell.id AS id,
  cell.value AS value,
  cell.generation AS generation,
  t.id AS trigger_id,
  t.pick AS pick,
  truths,
  held
ORDER BY trigger_id, id
