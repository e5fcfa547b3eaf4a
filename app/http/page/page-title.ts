export type RootMatch = { loaderData: { brand: { name: string } } | undefined };

/** "Orders · Gull": shown in tabs, bookmarks and browser history. */
export function pageTitle(title: string, [root]: [RootMatch, ...unknown[]]): string {
  return withSiteName(title, root.loaderData?.brand.name);
}

/** The name is undefined on an error page without the root's data. */
export function withSiteName(title: string, name: string | undefined): string {
  return name ? `${title} · ${name}` : title;
}
