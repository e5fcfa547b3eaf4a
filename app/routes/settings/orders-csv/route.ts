import { appContext } from "#app/http/request/contexts.ts";
import { csvFileName, readCsvFormat, readOrdersQuery } from "#app/modules/billing/history/browse.rules.ts";
import { writeOrdersCsv } from "#app/modules/billing/history/reads/write-orders-csv.server.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import type { Route } from "./+types/route";

export const middleware: Route.MiddlewareFunction[] = [requireViewer];

/** With `?format=comma` or `semicolon`; else by the account's own number format. Contains all orders that match the list's query, not only one page of them. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const filter = readOrdersQuery(url.searchParams);
  const { account } = await signedIn(context).viewer;
  const format = readCsvFormat(url.searchParams, account.locale);
  return new Response(await writeOrdersCsv(app, account.id, filter, format), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${csvFileName(app.product.name, filter)}"`,
      "Cache-Control": "no-store",
    },
  });
}
