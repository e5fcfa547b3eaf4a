import { rmSync } from "node:fs";
import { join } from "node:path";
import { pages as productPages } from "#tests/support/billing/catalogue.ts";
import { buildBehind } from "../build-behind.ts";
import type { CountedStatement } from "../counting.ts";
import { startDirectSite } from "../direct-worker.ts";
import { Asker, type Page } from "./asker.ts";
import { orderId } from "./customer.ts";

const signedIn = [
  "/settings",
  "/settings/profile",
  "/settings/security",
  "/settings/notifications",
  "/settings/data",
  productPages.account,
  productPages.plan,
  "/settings/orders",
  `/settings/orders/${orderId}`,
  `/settings/orders/receipt?order=${orderId}`,
  "/settings/referral",
  "/settings/upgrade",
];

/** What a page is made of. Its floor is a bare page with as many elements that runs as many statements in two round trips. */
export type Floor = { path: string; elements: number; statements: number; trips: number; rowsRead: number };

type Site = Awaited<ReturnType<typeof startDirectSite>>;
type Secrets = Parameters<typeof startDirectSite>[0];

/** Measures the floor of each page of a signed-in customer. `prepare` fills the database and returns the customer's headers. */
export async function measureFloors(
  secrets: Secrets,
  prepare: (d1: Site["d1"]) => Promise<Page["headers"]>,
): Promise<Floor[]> {
  const { folder, entry } = buildBehind("counting");
  const site = await startDirectSite(secrets, { folder: join(folder, "server"), entry });
  const headers = await prepare(site.d1);
  const asker = new Asker(site.origin);
  const floors: Floor[] = [];
  for (const path of signedIn) {
    // This first request does what is done once per isolate, or only now and then.
    const { status } = await asker.ask({ path, headers });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    await asker.text("/counted");
    const html = await asker.text(path, headers);
    const counted = JSON.parse(await asker.text("/counted")) as CountedStatement[];
    floors.push({
      path,
      elements: countElements(html),
      statements: counted.length,
      trips: new Set(counted.map(({ trip }) => trip)).size,
      rowsRead: counted.reduce((sum, { read }) => sum + read, 0),
    });
  }
  asker.close();
  await site.stop();
  rmSync(folder, { recursive: true });
  return floors;
}

/** Gives a floor's path on the bare site, whose pages have elements of their own that count. */
export async function floorsOn(origin: string): Promise<(floor: Pick<Floor, "elements" | "statements">) => string> {
  const asker = new Asker(origin);
  const own = countElements(await asker.text("/asking/1/0"));
  asker.close();
  return ({ elements, statements }) =>
    statements === 0 ? `/elements/${elements - own}` : `/asking/${statements}/${elements - own}`;
}

export function countElements(html: string): number {
  return html.match(/<[a-z]/g)?.length ?? 0;
}
