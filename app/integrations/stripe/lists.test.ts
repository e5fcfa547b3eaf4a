import { expect, test } from "vitest";
import { wholeList } from "./lists.ts";

/** A Stripe list of a given length, newest first, that records the cursor of each request. */
function aList(count: number) {
  const items = Array.from({ length: count }, (_, index) => ({ id: `id_${count - index}` }));
  const requests: (string | undefined)[] = [];
  const fetchPage = async ({ limit, starting_after: after }: { limit: number; starting_after?: string }) => {
    requests.push(after);
    const from = after ? items.findIndex(({ id }) => id === after) + 1 : 0;
    return { data: items.slice(from, from + limit), has_more: from + limit < items.length };
  };
  return { items, asked: requests, fetchPage };
}

test.each([
  [0, [undefined]],
  [100, [undefined]],
  [101, [undefined, "id_2"]],
  [250, [undefined, "id_151", "id_51"]],
])("a list of %i is read to its end, each page starting where the previous one ended", async (count, requests) => {
  const list = aList(count);
  expect(await wholeList(list.fetchPage)).toEqual(list.items);
  expect(list.asked).toEqual(requests);
});

test("a list without an end is read up to its five hundredth item", async () => {
  const list = aList(1000);
  expect(await wholeList(list.fetchPage)).toEqual(list.items.slice(0, 500));
});
