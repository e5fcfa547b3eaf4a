import { appContext } from "#app/http/request/contexts.ts";
import { intervalsOf, isSold, priceKey } from "#app/modules/catalogue/rules.ts";
import type { Route } from "./+types/route";

/** 200 when this Worker can serve: the database has this build's schema and, on a local run, the Stripe emulator has the catalogue. */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const sold = app.product.plans.filter(isSold);
  const keys = sold.flatMap((plan) => intervalsOf(plan).map((interval) => priceKey(plan.id, interval)));
  const hasCatalogue = app.isLocal && app.payments ? app.payments.hasPrices(keys) : true;
  const ready = (await app.isMigrated()) && (await hasCatalogue);
  return Response.json({ status: ready ? "ok" : "starting" }, { status: ready ? 200 : 503 });
}
