import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { product } from "#app/product/config.ts";
import {
  advance,
  choose,
  confirmation,
  keepPace,
  ordersOf,
  providerNow,
  subscriptionOf,
} from "#tests/http/plans/subscribers.ts";
import { large, pages, small } from "#tests/support/billing/catalogue.ts";
import {
  activateDevice,
  askForCode,
  cards,
  licenceKeyOf,
  openCheckout,
  payByCard,
  signIn,
  signUp,
  subscriber,
  typeCode,
} from "#tests/support/clients/customers.ts";
import type { Site } from "#tests/support/site/site.ts";

/** Who is there before the hour, and what each does in it. */
const customers = {
  renews: "renews@renews.example",
  friend: "friend@friend.example",
  buys: "buys@buys.example",
  refunded: "refunded@refunded.example",
  cancels: "cancels@cancels.example",
  upgrades: "upgrades@upgrades.example",
  stays: "stays@stays.example",
} as const;

/** Signs up in the hour that is lost, and pays. */
export const newcomer = "newcomer@newcomer.example";

/** Moves both clocks, and lets the cron job run. */
async function pass(site: Site, ms: number): Promise<void> {
  await advance(site, ms / dayMs);
  await keepPace(site);
  await site.runCron();
}

/** Some weeks of history: a reward was earned and will reduce the next renewal, which is created just before the copy. */
export async function liveBeforeTheHour(site: Site): Promise<{ link: string }> {
  const referrer = await subscriber(site, customers.renews, { card: cards.good });
  await referrer.open("/settings/referral");
  const link = /\/\?ref=[a-z0-9]+/.exec(referrer.html)?.[0] ?? "/";
  const friend = await site.visitor().open(link);
  await friend.open(`/signup?plan=${small.id}&interval=year`);
  await askForCode(friend, customers.friend);
  await typeCode(friend, await site.codeTo(customers.friend));
  await openCheckout(friend);
  await payByCard(friend, cards.another);
  await site.runCron();
  // Rewards wait for the end of the withdrawal period.
  if (product.referral.state === "open") await pass(site, (rewardHoldDays(product) + 0.1) * dayMs);
  const { item } = await subscriptionOf(site, customers.renews);
  await pass(site, (item.current_period_end - (await providerNow(site))) * secondMs - 5 * minuteMs);
  await signUp(site, customers.buys, "");
  await subscriber(site, customers.cancels, { card: cards.third });
  await subscriber(site, customers.upgrades, { card: cards.unlike });
  await subscriber(site, customers.stays, { card: cards.good });
  await subscriber(site, customers.refunded, { card: cards.good });
  await pass(site, 15 * minuteMs);
  return { link };
}

/** Everything that can happen in an hour happens, and its webhooks arrive. */
export async function liveTheHour(site: Site, { link }: { link: string }): Promise<void> {
  await pass(site, 55 * minuteMs);
  const buyer = await signIn(site, customers.buys);
  await buyer.open(`/settings/upgrade?plan=${small.id}&interval=month`);
  await openCheckout(buyer);
  await payByCard(buyer, cards.another);
  const [refunded] = await ordersOf(site, customers.refunded);
  await site.stripe?.control("refund", { order: refunded?.id ?? "" });
  await (await signIn(site, customers.cancels)).post({ intent: "cancel" }, pages.plan);
  const changing = await signIn(site, customers.upgrades);
  await choose(changing, large.id);
  await changing.post(confirmation(changing));
  await subscriber(site, newcomer, { card: cards.third });
  const device = await activateDevice(site, await licenceKeyOf(await signIn(site, customers.stays)), "a-new-device");
  const stranger = await site.visitor().open(link);
  // Counted once the browser goes on.
  await stranger.open("/signup");
  await pass(site, minuteMs);
  const ofChange = await ordersOf(site, customers.upgrades);
  const ofBuyer = await ordersOf(site, customers.buys);
  const renewals = (await ordersOf(site, customers.renews)).filter(
    ({ kind, state }) => kind === "renewal" && state === "paid",
  );
  demand(
    "buys",
    ofBuyer.some(({ state }) => state === "paid"),
  );
  demand(
    "changes the plan",
    ofChange.some(({ kind, state }) => kind === "change" && state === "paid"),
  );
  demand(
    "renews with credit",
    product.referral.state !== "open" || renewals.some(({ creditMinor }) => creditMinor > 0),
  );
  demand("activates a device", device.status === 201);
}

/** Makes sure that this happened: an hour in which less happens would prove less. */
function demand(what: string, isDone: boolean): void {
  if (!isDone) throw new Error(`In the hour, no customer ${what}`);
}

/** What operators do after a restore: nothing. The cron job runs a few times. */
export async function repair(site: Site): Promise<void> {
  for (let run = 0; run < 6; run += 1) await pass(site, minuteMs);
}
