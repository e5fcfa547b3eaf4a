import type { Base, Secrets, Site } from "#app/app.ts";
import { invariant } from "#app/core/invariant.ts";
import { done, type Result } from "#app/core/result.ts";
import { reviewLists } from "./review-lists.server.ts";
import { coreReviewLists, reviewListNames } from "../rules.ts";
import { type CursorRefusal, type List, type RowsPage, readPage } from "./read-page.server.ts";

type Input = { list?: string | undefined; after?: string | undefined };
type Review = {
  totals: Record<string, number>;
  next: Record<string, string | null>;
};

/** Everything that waits for an operator (held back, declared, disputed, or failed for good), or one of these lists from a cursor on. */
export async function listReview(
  app: Base & Site & Secrets,
  { list, after }: Input,
): Promise<Result<Review, CursorRefusal>> {
  const pages: [string, RowsPage<unknown>][] = [];
  const names = list === undefined ? reviewListNames(app.hooks) : [list];
  // A cursor belongs to one list.
  const read = await Promise.all(names.map((name) => pageOf(app, name, list === undefined ? undefined : after)));
  for (const [index, page] of read.entries()) {
    const name = names[index];
    if (!page.ok) return page;
    if (name !== undefined) pages.push([name, page.value]);
  }
  return done({
    ...Object.fromEntries(pages.map(([name, { rows }]) => [name, rows])),
    totals: Object.fromEntries(pages.map(([name, { total }]) => [name, total])),
    next: Object.fromEntries(pages.map(([name, { next }]) => [name, next])),
  });
}

function pageOf(app: Base & Site & Secrets, name: string, after: string | undefined) {
  const own = coreReviewLists.find((each) => each === name);
  // Each list reads its own rows only.
  if (own) return readPage(reviewLists[own](app) as List<unknown, unknown>, after);
  const [read] = app.hooks.flatMap(({ operators }) => operators?.reviewLists[name] ?? []);
  invariant(read, "The call's schema lets no other list through");
  return read(app, after);
}
