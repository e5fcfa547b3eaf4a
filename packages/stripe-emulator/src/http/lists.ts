import type Stripe from "stripe";
import type { Form } from "./form.ts";
import { invalid, missingReference } from "./stripe-errors.ts";

interface Page {
  limit: number;
  startingAfter: string | undefined;
  endingBefore: string | undefined;
}

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 100;

export function readPage(form: Form): Page {
  const limit = form.integer("limit") ?? LIMIT_DEFAULT;
  const page = { limit, startingAfter: form.text("starting_after"), endingBefore: form.text("ending_before") };
  if (limit < 1 || limit > LIMIT_MAX) {
    throw invalid(`This value must be between 1 and ${LIMIT_MAX}.`, {
      code: "parameter_invalid_integer",
      param: "limit",
    });
  }
  if (page.startingAfter !== undefined && page.endingBefore !== undefined) {
    throw invalid("You may only provide one of starting_after or ending_before.", { param: "ending_before" });
  }
  return page;
}

/** One page of a list, newest first. A cursor that isn't an object of this list is refused, as at Stripe. */
export function paginate<T extends { id: string }>(url: string, page: Page, items: Iterable<T>): Stripe.ApiList<T> {
  const found = page.endingBefore === undefined ? after(items, page) : before(items, page, page.endingBefore);
  return { object: "list", url, ...found };
}

/** A list inside an object, which has one page of the usual length. */
export const firstPage = <T extends { id: string }>(url: string, items: Iterable<T>): Stripe.ApiList<T> =>
  paginate(url, { limit: LIMIT_DEFAULT, startingAfter: undefined, endingBefore: undefined }, items);

/** A list inside an object, where everything fits on its first page. */
export const wholeList = <T>(url: string, data: T[]): Stripe.ApiList<T> => ({
  object: "list",
  url,
  data,
  has_more: false,
});

function after<T extends { id: string }>(
  items: Iterable<T>,
  { limit, startingAfter }: Page,
): { data: T[]; has_more: boolean } {
  const data: T[] = [];
  let started = startingAfter === undefined;
  for (const item of items) {
    if (started && data.length === limit) return { data, has_more: true };
    if (started) data.push(item);
    started ||= item.id === startingAfter;
  }
  if (!started && startingAfter !== undefined) throw missingReference("object", startingAfter, "starting_after");
  return { data, has_more: false };
}

/** The oldest `limit` items above the cursor, i.e. those right before it in the list. */
function before<T extends { id: string }>(
  items: Iterable<T>,
  { limit }: Page,
  cursor: string,
): { data: T[]; has_more: boolean } {
  const above: T[] = [];
  for (const item of items) {
    if (item.id === cursor) return { data: above.slice(-limit), has_more: above.length > limit };
    above.push(item);
  }
  throw missingReference("object", cursor, "ending_before");
}

export function* only<T>(items: Iterable<T>, wanted: (item: T) => boolean): Iterable<T> {
  for (const item of items) if (wanted(item)) yield item;
}
