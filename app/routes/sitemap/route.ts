import { href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { gatePages } from "#app/features.ts";
import type { Route } from "./+types/route";

export function loader({ context }: Route.LoaderArgs) {
  const { origin, product, gate } = context.get(appContext);
  const features = featuresOf(product, gate);
  const pages = [
    href("/"),
    href("/signup"),
    href("/login"),
    ...(features.gate ? [gatePages().path] : []),
    href("/legal/:page", { page: "terms" }),
    href("/legal/:page", { page: "privacy" }),
    href("/legal/:page", { page: "imprint" }),
    ...(features.withdrawal ? [href("/withdraw")] : []),
    ...(features.cancellation ? [href("/cancel")] : []),
  ];
  const urls = pages.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("");
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
  return new Response(sitemap, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
