import type { Base, Outbox, Site } from "#app/app.ts";
import { formerFreePlans, unstoredPlans, withStoredPlans } from "../catalogue.rules.ts";
import { changeSoldPlan, removeSoldPlans, listSoldPlans } from "../catalogue.queries.server.ts";
import type { ProductConfig } from "../rules.ts";

type Deps = Base & Site & Outbox;

/** The config plus its former plans; what is new in the config is stored after the response. Null if the table can't be read. */
export async function loadCatalogue({ db, product, later, report }: Deps): Promise<ProductConfig | null> {
  try {
    const stored = await listSoldPlans(db);
    const former = formerFreePlans(product, stored);
    const [first, ...others] = unstoredPlans(product, stored).map((plan) => changeSoldPlan(db, plan));
    if (first) later(db.batch([first, ...others]));
    if (former.length > 0) later(removeSoldPlans(db, former).execute());
    return withStoredPlans(product, stored);
  } catch (error) {
    report(error);
    return null;
  }
}
