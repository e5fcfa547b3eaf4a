import fc from "fast-check";
import { expect, test } from "vitest";
import { coverPairs, pairsIn, pairsOf } from "#tests/configs/pairwise.ts";
import { values } from "#tests/configs/factors.ts";

const some = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,4}$/), { minLength: 1, maxLength: 5 }),
  { minKeys: 2, maxKeys: 7 },
);

test("every pair of values of different factors occurs in a row, and each row has a value for each factor", () => {
  fc.assert(
    fc.property(some, (factors) => {
      const rows = coverPairs(factors);
      expect(new Set(rows.flatMap(pairsIn))).toEqual(new Set(pairsOf(factors)));
      for (const row of rows) {
        expect(Object.keys(row)).toEqual(Object.keys(factors));
        for (const [factor, value] of Object.entries(row)) expect(factors[factor]).toContain(value);
      }
    }),
    { numRuns: 200 },
  );
});

test("the number of pairs is the sum of the products of the factors' value counts", () => {
  expect(pairsOf({ a: ["1", "2"], b: ["1", "2", "3"], c: ["1"] })).toHaveLength(2 * 3 + 2 * 1 + 3 * 1);
});

test("the product's configs are far fewer than all combinations, and close to the minimum", () => {
  const counts = Object.values(values)
    .map(({ length }) => length)
    .toSorted((one, other) => other - one);
  const rows = coverPairs(values);
  expect(rows.length).toBeGreaterThanOrEqual((counts[0] ?? 0) * (counts[1] ?? 0));
  expect(rows.length).toBeLessThanOrEqual(2 * (counts[0] ?? 0) * (counts[1] ?? 0));
  expect(coverPairs(values)).toEqual(rows);
});
