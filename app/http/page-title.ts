type RootMatch = { loaderData: { brand: { name: string } } | undefined };

/** "Orders · Gull": what tabs, bookmarks and the browser's history show. */
export function pageTitle(title: string, [root]: [RootMatch, ...unknown[]]): string {
  return `${title} · ${root.loaderData?.brand.name ?? ""}`;
}
