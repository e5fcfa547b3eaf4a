import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import {
  offerReauthentication,
  offerPasskey,
  offerSignIn,
} from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";
import type { Route } from "./+types/route";

/**
 * A new challenge for a page that has been open longer than its challenge is valid. Revalidating the page isn't an option: if that failed,
 * its error boundary would replace what the user was typing.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const offer = await findOffer(context, url.searchParams.get("for"));
  return Response.json({ offer }, { headers: { "Cache-Control": "no-store" } });
}

async function findOffer(context: Route.LoaderArgs["context"], ceremony: string | null) {
  const app = context.get(appContext);
  if (ceremony === "sign-in") return offerSignIn(app);
  const viewer = await context.get(viewerContext);
  if (!viewer || (ceremony !== "add" && ceremony !== "reauthentication")) return null;
  const passkeys = await listPasskeys(app.db, viewer.account.id);
  return ceremony === "add"
    ? offerPasskey(app, viewer, passkeys)
    : offerReauthentication(app, viewer.account.id, passkeys);
}
