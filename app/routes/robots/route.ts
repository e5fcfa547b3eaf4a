import { href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import type { Route } from "./+types/route";

export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(appContext);
  const lines = [
    "User-agent: *",
    "Disallow: /settings",
    "Disallow: /payment",
    "Disallow: /verify",
    `Sitemap: ${origin}${href("/sitemap.xml")}`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
