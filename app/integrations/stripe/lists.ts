/** Items per page, the most that Stripe gives. */
const pageItems = 100;
/** Pages of what a customer has of a kind: forty years of monthly charges. */
const pagesMax = 5;

type Page<Item> = { data: Item[]; has_more: boolean };

/** A list to its end, newest first: whatever is asked page by page would be forgotten on the second one. */
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
