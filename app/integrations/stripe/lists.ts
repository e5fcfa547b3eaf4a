/** As much of a list as the provider gives at once. */
const pageItems = 100;
/** Five hundred charges are forty years of a monthly plan. What lies behind that doesn't change any more. */
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
