/** Items per page, the most that Stripe allows. */
const pageItems = 100;
/** Maximum pages of a customer's list: forty years of monthly charges. */
const pagesMax = 5;

type Page<Item> = { data: Item[]; has_more: boolean };

/** Fetches a whole list, newest first. The SDK's own pagination would lose the request options on the second page. */
export async function wholeList<Item extends { id: string }>(
  fetchPage: (page: { limit: number; starting_after?: string }) => PromiseLike<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const last = items.at(-1);
    const { data, has_more: hasMore } = await fetchPage({ limit: pageItems, ...(last && { starting_after: last.id }) });
    items.push(...data);
    if (!hasMore) break;
  }
  return items;
}
