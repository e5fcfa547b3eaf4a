import { appContext } from "#app/context.ts";
import type { Route } from "./+types/sitemap";

const publicPages = ["/", "/signup", "/login", "/waitlist", "/legal/terms", "/legal/privacy", "/legal/imprint"];

export function loader({ context }: Route.LoaderArgs) {
  const { origin, product } = context.get(appContext);
  const pages = [...publicPages, ...(product.withdrawalDays === "off" ? [] : ["/withdraw"])];
  const urls = pages.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("");
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
  return new Response(sitemap, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
