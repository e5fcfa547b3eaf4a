/**
 * What a route is called in reports: React Router's patterns stand without their first slash, and the landing page's is
 * empty. A file of its own, since it is part of what every page loads first.
 */
export function routeName(pattern: string): string {
  return `/${pattern.replace(/^\//, "")}`;
}
