import { appContext } from "#app/http/request/contexts.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { Route } from "./+types/route";

/** RFC 9116: where to report a vulnerability. It must have an expiry date; this one is always half a year ahead. */
export function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const expires = new Date(app.clock() + 182 * dayMs).toISOString();
  const lines = [
    `Contact: mailto:${app.product.support}`,
    `Expires: ${expires}`,
    `Canonical: ${app.origin}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
