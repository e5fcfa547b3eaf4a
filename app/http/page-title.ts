export type RootMatch = { loaderData: { brand: { name: string } } | undefined };

/** "Orders · Gull": what tabs, bookmarks and the browser's history show. */
export function pageTitle(title: string, [root]: [RootMatch, ...unknown[]]): string {
  return withSiteName(title, root.loaderData?.brand.name);
}

/** A page on which something broke may not know the name. */
export function withSiteName(title: string, name: string | undefined): string {
  return name ? `${title} · ${name}` : title;
}
