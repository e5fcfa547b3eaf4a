/**
 * The name of a route in reports: React Router's patterns come without their first slash, and the landing page's is
 * empty. A separate file, since it is part of what every page loads first.
 */
export function routeName(pattern: string): string {
  return `/${pattern.replace(/^\//, "")}`;
}
