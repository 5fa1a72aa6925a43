// Where the condition trees of cells are true, leaves first: the spans of what can be chosen for each.
//
// A span is the time from the first to the last of the chosen occurrences (in microseconds), with
// their keys; a condition is true where it has one. `windowed` conditions have every span that
// cannot be shorter, others just one. AND, OR and AT_LEAST need some of their operands: for each
// time at which a choice can begin, those that end first. A SEQUENCE takes each operand after the
// one before. What a NOT is about must not fit into the span.
UNWIND $ids AS id
MATCH (t:Trigger)-[:HAS_CELL]->(cell:Cell {id: id})
CALL (cell) {
  MATCH (cell)-[h:HOLDS]->(what)
  WHERE h.until IS NULL OR h.until >= coalesce($now, datetime.realtime())
  WITH h, what, h.occurred_at.epochSeconds * 1000000 + h.occurred_at.microsecond AS at
  ORDER BY at, h.key
  RETURN collect({
    condition_id: h.condition_id, key: h.key, at: at, status: h.status, part: h.part,
    occurred_at: toString(h.occurred_at), subject: coalesce(what.id, what.key)
  }) AS held
}
CALL (t) {
  MATCH (t)-[:HAS_CONDITION]->(c:Condition)
  WITH c ORDER BY c.height, c.id
  RETURN collect(c {
    .id, .operator, .text, .height, .windowed, .need, within: c.within * 1000000,
    operands: COLLECT {
      MATCH (c)-[o:OPERAND]->(x:Condition) WHERE x.operator <> 'NOT' RETURN x.id ORDER BY o.position
    },
    bars: COLLECT {
      MATCH (c)-[:OPERAND]->(:Condition {operator: 'NOT'})-[:OPERAND]->(x:Condition) RETURN x.id
    }
  }) AS nodes
}
WITH t, cell, held, reduce(known = [], c IN nodes | known + [spans IN [
  CASE
    WHEN c.operator = 'NOT' THEN []
    WHEN c.operands = [] THEN
      [mine IN [[h IN held WHERE h.condition_id = c.id]] |
        [near IN [CASE WHEN size(mine) > 128 THEN mine[..64] + mine[-64..] ELSE mine END] |
          [new IN [CASE WHEN c.need = 1 THEN near ELSE
              [h IN near WHERE none(x IN near WHERE x.part = h.part
                AND (x.at > h.at OR x.at = h.at AND x.key > h.key))]
            END] |
            [i IN range(0, size(new) - c.need) | {
              lo: new[i].at,
              hi: new[i + c.need - 1].at,
              keys: [h IN new[i..i + c.need] | h.key]
            }]
          ][0]
        ][0]
      ][0]
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
          WHERE none(link IN chain WHERE link IS NULL) |
          {
            lo: chain[0].lo,
            hi: last(chain).hi,
            keys: reduce(keys = [], link IN chain | keys + link.keys)
          }
        ]
      ][0]
    ELSE
      [parts IN [[id IN c.operands | head([k IN known WHERE k.id = id]).spans]] |
        [span IN
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
              [chosen IN [[e IN ends WHERE size([x IN ends WHERE x.hi < e.hi]) < c.need]] | {
                start: start,
                size: size(ends),
                lo: reduce(lo = 9223372036854775807, e IN chosen |
                  CASE WHEN e.lo < lo THEN e.lo ELSE lo END),
                hi: reduce(hi = -9223372036854775807, e IN chosen |
                  CASE WHEN e.hi > hi THEN e.hi ELSE hi END),
                keys: reduce(keys = [], e IN chosen | keys + e.keys)
              }][0]
            ][0]
          ]
          WHERE span.size >= c.need AND (NOT c.windowed OR span.start = span.lo) | span
        ]
      ][0]
  END] | {
  id: c.id,
  text: c.text,
  operator: c.operator,
  operands: c.operands,
  bars: c.bars,
  spans: [s IN spans
    WHERE (c.within IS NULL OR c.operands = [] OR s.hi - s.lo <= c.within)
      AND none(id IN c.bars WHERE any(y IN head([k IN known WHERE k.id = id]).spans
        WHERE c.within IS NULL
          OR CASE WHEN y.hi > s.hi THEN y.hi ELSE s.hi END
             - CASE WHEN y.lo < s.lo THEN y.lo ELSE s.lo END <= c.within)) |
    s {.lo, .hi, .keys}]
}]) AS truths
RETURN
  cell.id AS id,
  cell.value AS value,
  cell.generation AS generation,
  t.id AS trigger_id,
  coalesce(t.pick, 'latest') AS pick,
  truths,
  held
ORDER BY trigger_id, id
