import { appContext } from "#app/http/request/contexts.ts";
import { publishedKeys } from "#app/modules/billing/entitlements/commands/sign-entitlement.server.ts";
import type { Route } from "./+types/route";

/** The public keys a product verifies entitlements with; a new one is published before it signs (docs/guides/deploy.md). */
export async function loader({ context }: Route.LoaderArgs) {
  const keys = await publishedKeys(context.get(appContext));
  return Response.json({ keys }, { headers: { "Cache-Control": "public, max-age=300" } });
}
