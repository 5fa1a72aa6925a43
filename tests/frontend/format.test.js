import assert from "node:assert/strict";
import { test } from "node:test";
import {
  elapsedSeconds,
  formatMoment,
  formatPartition,
  formatReason,
  formatSeconds,
  formatSpan,
  formatTime,
  formatValue,
  shorten,
  useZone,
} from "../../lineagegraph/frontend/format.js";

test("times are in the zone of the installation", () => {
  useZone("Asia/Dubai");
  assert.equal(formatTime("2026-03-01T22:30:05Z"), "2026-03-02 02:30:05");
  assert.equal(formatMoment("2026-03-01T22:30:05Z"), "Mon 2026-03-02 02:30:05 Asia/Dubai");
  assert.equal(formatTime(null), "–");
});

test("times in a stored reason are in the zone of the installation too", () => {
  useZone("Asia/Dubai");
  const stored =
    "load COMPLETED at 2026-03-01 22:30:05+0000 and event b at 2026-03-01 20:30:05-0200";
  const said = "load COMPLETED at 2026-03-02 02:30:05 and event b at 2026-03-02 02:30:05";
  assert.equal(formatReason(stored), said);
  assert.equal(formatReason(null), undefined);
});

test("a partition is told in words", () => {
  assert.equal(formatPartition('{"day":"2026-03-01","n":3}'), "day=2026-03-01, n=3");
});

test("durations are in the units that fit", () => {
  assert.deepEqual([4.21, 59.94, 200, 7500].map(formatSeconds), [
    "4.2s",
    "59.9s",
    "3m 20s",
    "2h 5m",
  ]);
  assert.deepEqual([30, 90, 21600, 86400, 604800, 0].map(formatSpan), [
    "30s",
    "1m 30s",
    "6h",
    "1d",
    "7d",
    "0s",
  ]);
});

test("an elapsed time is never negative", () => {
  assert.equal(elapsedSeconds("2026-03-01T00:00:02Z", "2026-03-01T00:00:01Z"), 0);
  assert.equal(elapsedSeconds(null, null), 0);
});

test("values are JSON, and texts stand without quotes", () => {
  assert.deepEqual(["x", 1, { a: [1] }, null].map(formatValue), ["x", "1", '{"a":[1]}', "–"]);
});

test("a long name keeps both ends", () => {
  assert.equal(shorten("abcdefghij", 5), "ab…ij");
  assert.equal(shorten("abc", 5), "abc");
});
