import type Stripe from "stripe";
import { holdToSession } from "#app/http/session/hold-to-session.server.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { revertAddress } from "#app/modules/accounts/commands/revert-address.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { declareCancellation } from "#app/modules/billing/cancellations/commands/declare-cancellation.server.ts";
import { undoCancellations } from "#app/modules/billing/cancellations/commands/undo-cancellations.server.ts";
import { intervalFor } from "#app/modules/catalogue/rules.ts";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { beginCheckout } from "#app/workflows/begin-checkout.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { afterPayment } from "#app/workflows/after-payment.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { offerPlan } from "#app/workflows/offer-plan.server.ts";
import type { AccountId } from "#app/core/id.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type { DeclaredNumber, Means, PlanRole } from "../../story.ts";
import { fieldsOf } from "./fields-of.ts";
import { must } from "../must.ts";
import { type Person, parsed, type SignedIn } from "./person.ts";
import type { WorldApp } from "../make-app.ts";
import { planOf } from "../plan-of.ts";
import { Refused } from "../refused.ts";
import { Violated } from "../violated.ts";
import type { World } from "../world.ts";

/** What was quoted for an order, in minor units, and the customer's balance at Stripe at that time. */
export type Quoted = Map<string, { amountMinor: number; balanceMinor: number }>;

/** What a plan's page promises: its price is that of the last ten minutes. */
const quoteMs = 10 * minuteMs;

type SeenPlan = Awaited<ReturnType<Customer["seesPlan"]>>;

/** What a signed-in person does, by the commands that the pages' forms call. */
export class Customer {
  readonly person: Person;
  readonly world: World;
  readonly #quoted: Quoted;
  readonly #known: (name: string) => Person | undefined;

  constructor(person: Person, quoted: Quoted, known: (name: string) => Person | undefined) {
    this.person = person;
    this.world = person.world;
    this.#quoted = quoted;
    this.#known = known;
  }

  /** The viewer, and the app whose first write and first charge demand that the session is still active. */
  async signedIn(app: WorldApp): Promise<SignedIn> {
    const { cookie } = this.person;
    const viewer = await this.person.viewer(app);
    return { app: { ...app, ...pick(holdToSession(app, viewer.session, { pathname: "/settings" })) }, viewer, cookie };
  }

  /** The page of a plan, with what it costs. Its form is sent later, and anything may happen in the meantime. */
  async seesPlan(app: WorldApp, plan: PlanRole, wanted: Interval) {
    const { account } = await this.person.viewer(app);
    const choice = this.#choice(app, plan, wanted);
    const balanceMinor = this.#balanceMinor(account.id);
    const { offer } = await offerPlan(app, account.id, await findBuyer(app, account.id), choice);
    return { ...choice, offer, balanceMinor, seenAt: app.clock() };
  }

  async choosesPlan({ app, viewer }: SignedIn, { offer, balanceMinor, seenAt, ...choice }: SeenPlan): Promise<string> {
    const { account } = viewer;
    if (offer?.kind !== "start")
      throw new Refused(`no start: ${offer?.kind === "refused" ? offer.refusal.reason : offer?.kind}`);
    const buyer = await findBuyer(app, account.id);
    const begun = must(
      await beginCheckout({ ...app, gate: buyer.gate }, account, { ...choice, ...buyer, quote: offer.quote }),
    );
    this.#mustBeFresh(seenAt);
    this.#quoted.set(begun.orderId, { amountMinor: offer.dueNow.amountMinor, balanceMinor });
    this.person.checkout = begun.url;
    return begun.url;
  }

  /** Pays on Stripe's page. */
  async pays(url: string, means: Means): Promise<void> {
    const { tax, billingAddress } = this.world.product;
    const isAsked = tax === "stripe" || billingAddress === "required";
    const address: Record<string, string> = isAsked
      ? { name: this.person.name, line1: "Main Street 1", postal_code: "10435", city: "Berlin", country: "DE" }
      : {};
    const after = await this.world.line.send(url, { ...this.#fields(means), ...address });
    if (after.endsWith("/confirm")) await this.world.line.send(after, { answer: "complete" });
  }

  async changesPlan({ app, viewer }: SignedIn, { offer, balanceMinor, seenAt, ...choice }: SeenPlan): Promise<void> {
    const { account } = viewer;
    if (offer?.kind !== "now" && offer?.kind !== "later")
      throw new Refused(`no change: ${offer?.kind === "refused" ? offer.refusal.reason : offer?.kind}`);
    const heldBefore = this.#knownHold(account.id);
    const { gate } = await findBuyer(app, account.id);
    const changed = must(await startChange({ ...app, gate }, account, { ...choice, quote: offer.quote }));
    if (changed.kind === "begun") this.#mustBeFresh(seenAt);
    if (changed.kind === "begun" && offer.kind === "now")
      this.#quoted.set(changed.order.id, { amountMinor: offer.charge.amountMinor, balanceMinor });
    if (heldBefore && this.#knownHold(account.id) === heldBefore && changed.kind !== "stayed")
      throw new Violated("a plan on hold isn't changed", { ...heldBefore, changed: changed.kind });
  }

  /** Allows a minute for the calls that were made since. */
  #mustBeFresh(seenAt: number): void {
    const ageMs = this.world.now() - seenAt;
    if (ageMs > quoteMs + minuteMs) throw new Violated("an old quote isn't charged", { ageMs });
  }

  async acts({ app, viewer }: SignedIn, action: "cancel" | "resume" | "undo-change"): Promise<void> {
    const { account } = viewer;
    const { cancellations } = this.world;
    if (action === "cancel") cancellations.ask(account.id);
    must(await runSubscriptionAction(app, account, action));
    if (action !== "resume") return;
    await undoCancellations(app, account.id);
    cancellations.keep(account.id, { isResumed: true });
  }

  /** What anyone sends on `/cancel`. What it means is found here by the rows alone: the account with this address has paid this order. */
  async declaresCancellation(app: WorldApp, { number, inDays }: { number: DeclaredNumber; inDays: number }) {
    const { cancellations, records } = this.world;
    const address = this.person.needsAddress();
    const order = await this.#numberFor(number);
    const meant = () => records.ownerOfOrder(order, address);
    const before = await meant();
    const at = this.world.now();
    const wantedAt = inDays === 0 ? null : at + inDays * dayMs;
    if (before !== null) cancellations.ask(before, wantedAt);
    const endsOn = wantedAt === null ? "" : new Date(wantedAt).toISOString().slice(0, 10);
    const typed = { intent: "declare", kind: "ordinary", cause: "", name: this.person.name, order, endsOn } as const;
    const declarer = { ip: this.person.ip, accountId: null, isOwn: false };
    const { id } = must(await declareCancellation(app, { ...typed, email: parsed(address) }, declarer));
    cancellations.declared.push({ id, who: this.person.name, at });
    const [stored] = await records.query<{ accountId: string | null }>(
      "select account_id as accountId from cancellations where id = ? and address = ? and order_typed = ?",
      id,
      address,
      order,
    );
    if (!stored) throw new Violated("a declared cancellation is stored first", { id });
    const after = await meant();
    if (before === after && stored.accountId !== after)
      throw new Violated("a declared cancellation means a plan only on an exact match", { id, after, ...stored });
  }

  /** Their own order's number, of which another person's differs, or one that nobody has. */
  async #numberFor(number: DeclaredNumber): Promise<string> {
    if (number === "wrong") return "2027-999999";
    const meant = number === "own" ? this.person : this.#known(number.slice("of ".length));
    const order = meant?.accountId && (await this.world.records.paidOrder(meant.accountId, "newest"));
    if (!order) throw new Refused("no order");
    return orderNumber(order) ?? order.id;
  }

  /** Keeps a plan that is to end on a later day. */
  async takesDeclarationBack({ app, viewer }: SignedIn): Promise<void> {
    await undoCancellations(app, viewer.account.id);
    this.world.cancellations.keep(viewer.account.id, { isResumed: false });
  }

  async changesCard({ app, viewer }: SignedIn, means: Means): Promise<void> {
    const { url } = must(await openPortal(app, viewer.account.id, "/settings"));
    const sent = await this.world.line.send(url, this.#fields(means));
    if (sent.endsWith("/confirm")) await this.world.line.send(sent, { answer: "complete" });
    await this.looks(app, viewer.account.id);
  }

  async paysDue({ app, viewer }: SignedIn): Promise<void> {
    must(await retryPayment(app, viewer.account.id));
  }

  /** Does what loading the pages of a payment does. */
  async looks(app: WorldApp, accountId: AccountId): Promise<void> {
    must(await reconcileCustomer(app, accountId));
    await afterPayment(app, accountId);
  }

  /** Anyone may withdraw. As the owner, the name and the address are those of the session. */
  async withdraws(
    app: WorldApp,
    which: "newest" | "oldest",
    as: "owner" | "anyone",
    holdBack: () => Promise<void>,
  ): Promise<void> {
    const { accountId } = this.person;
    const order = accountId && (await this.world.records.paidOrder(accountId, which));
    if (!order) throw new Refused("no order");
    const viewer = as === "owner" ? await this.person.viewer(app) : null;
    if (viewer) await holdBack();
    const email = parsed(viewer?.account.email ?? this.person.needsAddress());
    const declaration = { name: this.person.name, order: orderNumber(order) ?? order.id, email };
    const declarer = { ip: this.person.ip, accountId: viewer?.account.id ?? null, isOwn: viewer !== null };
    must(await declareWithdrawal(app, declaration, { ...declarer, ...(viewer && { sessionId: viewer.session.id }) }));
  }

  async closes({ app, viewer, cookie }: SignedIn): Promise<void> {
    // Closing the account again ends none of the sessions that came back since.
    const isOpen = viewer.account.restorableUntil === null;
    const others = isOpen ? this.world.sessions.ofAccount(viewer.account.id, cookie) : [];
    must(await closeAccount(app, viewer));
    await this.world.sessions.end(app, others);
  }

  async restores({ app, viewer }: SignedIn): Promise<void> {
    must(await restoreAccount(app, viewer));
  }

  async changesName({ app, viewer }: SignedIn): Promise<void> {
    const name = `${this.person.name} Lovelace`;
    this.person.types(name);
    await changeProfile(app, viewer, { name, locale: "en-GB", timeZone: "Europe/Berlin" });
  }

  async takesAddressBack(app: WorldApp): Promise<void> {
    const isTheirs = ({ to, text }: { to: string; text: string }) =>
      this.person.typed.has(to) && text.includes("?revert=");
    const email = this.world.emails.findLast(isTheirs);
    const token = /\?revert=([^\s&]+)/.exec(email?.text ?? "")?.[1];
    if (!email || !token) throw new Refused("no link arrived");
    const before = this.world.sessions.all();
    const { accountId } = must(
      await revertAddress(app, decodeURIComponent(token), { device: "Firefox on Linux", country: null }),
    );
    await this.world.sessions.end(
      app,
      before.filter((each) => each.accountId === accountId),
    );
    this.person.address = email.to;
    app.later(reconcileCustomer(app, accountId));
  }

  /** The code in their link, which is created when they first look at it. */
  async linkCode(app: WorldApp): Promise<string> {
    const { account } = await this.person.viewer(app);
    const { url } = await showReferrals(app, account.id, account);
    return (url && new URL(url).searchParams.get("ref")) ?? "";
  }

  #balanceMinor(accountId: string): number {
    const id = this.world.records.customerOf(accountId);
    return this.world.records.objects<Stripe.Customer>("customer").find((each) => each.id === id)?.balance ?? 0;
  }

  /** The hold on the plan that runs. */
  #knownHold(accountId: string) {
    const { records, dashboard } = this.world;
    const customer = records.customerOf(accountId);
    const running = records
      .objects<Stripe.Subscription>("subscription")
      .find((each) => each.customer === customer && each.status !== "canceled" && each.pause_collection !== null);
    return running && dashboard.knownHold(running.id);
  }

  #fields(means: Means): Record<string, string> {
    return fieldsOf(means, this.person.name, (name) => this.#known(name)?.name);
  }

  #choice(app: WorldApp, role: PlanRole, wanted: Interval): { planId: string; interval: Interval } {
    const plan = planOf(app.product.plans, role);
    if (!plan) throw new Refused("no such plan");
    return { planId: plan.id, interval: intervalFor(plan, wanted) };
  }
}

/** Only what holding to a session replaces: the rest of the app is the story's own. */
const pick = ({ db, payments }: Pick<WorldApp, "db"> & { payments: WorldApp["payments"] | null }) => {
  if (!payments) throw new Error("There is no provider");
  return { db, payments };
};
