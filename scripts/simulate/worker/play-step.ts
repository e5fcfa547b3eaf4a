import type Stripe from "stripe";
import { contestWithdrawal } from "#app/modules/withdrawals/commands/contest-withdrawal.server.ts";
import { decideReferral } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { unansweredWithdrawals } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { noReferral, noWithdrawal, readId } from "#app/core/id.ts";
import type { Deed } from "../story.ts";
import { Customer, type Quoted } from "./customer.ts";
import { must } from "./must.ts";
import { Person } from "./person.ts";
import { Refused, type World, type WorldApp } from "./world.ts";

/** Everyone in the story. */
export class Cast {
  readonly world: World;
  readonly quoted: Quoted = new Map();
  readonly #people = new Map<string, { person: Person; customer: Customer }>();

  constructor(world: World) {
    this.world = world;
  }

  get people(): Person[] {
    return [...this.#people.values()].map(({ person }) => person);
  }

  meet(name: string): { person: Person; customer: Customer } {
    const met = this.#people.get(name);
    if (met) return met;
    const person = new Person(this.world, name, this.#people.size);
    const known = (other: string) => this.#people.get(other)?.person;
    const made = { person, customer: new Customer(person, this.quoted, known) };
    this.#people.set(name, made);
    return made;
  }

  /** The mailbox that an account signed up with, however it was spelled. */
  mailboxOf(accountId: string): string | null {
    const owner = this.people.find((person) => person.accountIds.has(accountId));
    const address =
      owner && [...owner.typed].find(([text, { accounts }]) => text.includes("@") && accounts.has(accountId))?.[0];
    return address ? plainMailbox(address) : null;
  }

  /** The code in a friend's link, by which someone arrives. */
  async codeOf(app: WorldApp, name: string | undefined): Promise<string | null> {
    if (name === undefined) return null;
    const friend = this.#people.get(name);
    return friend?.person.cookie ? friend.customer.linkCode(app).catch(() => null) : null;
  }

  /** One deed, as one run of the Worker. Refusals are thrown. */
  async play(app: WorldApp, who: string, deed: Deed & { id: number }, holdBack: () => Promise<void>): Promise<void> {
    const { person, customer } = this.meet(who);
    /** The session is read when the form begins to arrive, and the rest happens once it has. */
    const signedIn = async () => {
      const ready = await customer.signedIn(app);
      await holdBack();
      return ready;
    };
    const looks = async () => {
      if (person.accountId) await customer.looks(app, person.accountId);
    };
    switch (deed.do) {
      case "signs up":
        person.network = deed.network ?? person.network;
        return person.signsUp(app, deed.address, await this.codeOf(app, deed.by));
      case "mistypes a code":
        return person.mistypes(app);
      case "signs in":
        return person.signsIn(app);
      case "signs out":
        return person.signsOut(app);
      case "signs out everywhere":
        return person.signsOutEverywhere(app);
      case "buys": {
        const url = await customer.choosesPlan(await signedIn(), deed.plan, deed.interval);
        await customer.pays(url, deed.with);
        return deed.returns ? looks() : undefined;
      }
      case "leaves the checkout":
        await customer.choosesPlan(await signedIn(), deed.plan, deed.interval);
        return;
      case "pays the open checkout":
        if (!person.checkout) throw new Refused("no checkout");
        return customer.pays(person.checkout, deed.with);
      case "changes plan":
        await customer.changesPlan(await signedIn(), deed.plan, deed.interval);
        return looks();
      case "cancels":
        return customer.acts(await signedIn(), "cancel");
      case "resumes":
        return customer.acts(await signedIn(), "resume");
      case "keeps the plan":
        return customer.acts(await signedIn(), "undo-change");
      case "changes card":
        return customer.changesCard(await signedIn(), deed.with);
      case "pays what is due":
        return customer.paysDue(await signedIn());
      case "looks at the plan":
        await person.viewer(app);
        return looks();
      case "withdraws":
        return customer.withdraws(app, deed.order, deed.as);
      case "closes the account":
        return customer.closes(await signedIn());
      case "restores the account":
        return customer.restores(await signedIn());
      case "changes address":
        return person.changesAddress(app, deed.address);
      case "takes the old address back":
        return customer.takesAddressBack(app);
      case "changes name":
        return customer.changesName(await signedIn());
      case "activates a device":
        return customer.activates(await signedIn(), deed.id);
      case "uses the product":
        return customer.uses(app);
      case "removes a device":
        return customer.removesDevice(await signedIn());
      case "joins the waitlist":
        person.network = deed.network ?? person.network;
        return person.joinsWaitlist(app, deed.address, await this.#shareCodeOf(deed.by));
      case "confirms the waitlist entry":
        return person.confirmsEntry(app);
      case "is refunded":
        return this.#refunds(person, deed);
      case "has a withdrawal contested":
        return this.#contests(app, person);
      case "has a referral decided":
        return this.#decides(app, person, deed.verdict);
      case "disputes":
        return this.#disputes(person, deed.order, null);
      case "wins the dispute":
        return this.#disputes(person, null, "won");
      case "loses the dispute":
        return this.#disputes(person, null, "lost");
    }
  }

  async #shareCodeOf(name: string | undefined): Promise<string | null> {
    const address = name === undefined ? null : this.#people.get(name)?.person.address;
    if (!address) return null;
    const [entry] = await this.world.query<{ code: string | null }>(
      "select share_code as code from entries where email_canonical = ?",
      address.toLowerCase(),
    );
    return entry?.code ?? null;
  }

  /** In Stripe's dashboard. */
  async #refunds(person: Person, { order, share }: { order: "newest" | "oldest"; share: number }): Promise<void> {
    const paid = person.accountId && (await this.world.paidOrder(person.accountId, order));
    if (!paid?.invoiceId) throw new Refused("no order");
    const amountMinor = share < 1 ? Math.max(1, Math.round(paid.amountMinor * share)) : null;
    await this.world.control("refund", { order: paid.invoiceId, ...(amountMinor !== null && { amountMinor }) });
  }

  async #contests(app: WorldApp, { accountId }: Person): Promise<void> {
    const [found] = await this.world.query<{ id: string }>(
      `select w.id from withdrawals w join orders o on o.id = w.order_id where o.account_id = ?
       and w.state in (${unansweredWithdrawals.map((state) => `'${state}'`).join(", ")}) order by w.declared_at limit 1`,
      accountId,
    );
    must(await contestWithdrawal(app, readId("wdr", found?.id) ?? noWithdrawal, "It was declared too late."));
  }

  async #decides(app: WorldApp, { accountId }: Person, verdict: "approve" | "void"): Promise<void> {
    const [found] = await this.world.query<{ id: string }>(
      `select r.id from referrals r left join friend_discounts d on d.referral_id = r.id
       where (r.friend_id = ?1 or r.referrer_id = ?1) and (r.state = 'under-review' or d.state = 'under-review') order by r.id limit 1`,
      accountId,
    );
    must(await decideReferral(app, readId("ref", found?.id) ?? noReferral, { verdict, reason: "Decided by hand." }));
  }

  async #disputes(person: Person, which: "newest" | "oldest" | null, outcome: "won" | "lost" | null): Promise<void> {
    if (which === null) {
      const open = this.world.objects<Stripe.Dispute>("dispute").find(({ status, charge }) => {
        const owner = this.world.objects<Stripe.Charge>("charge").find(({ id }) => id === charge);
        return status === "needs_response" && owner !== undefined && this.customerOf(person) === owner.customer;
      });
      if (!open) throw new Refused("no dispute");
      await this.world.control("dispute", { order: String(open.charge), outcome });
      return;
    }
    const paid = person.accountId && (await this.world.paidOrder(person.accountId, which));
    if (!paid?.invoiceId) throw new Refused("no order");
    await this.world.control("dispute", { order: paid.invoiceId });
  }

  /** Stripe's customer of a person. */
  customerOf(person: Person): string | null {
    const customers = this.world.objects<Stripe.Customer>("customer");
    return (
      customers.find(({ metadata }) => Object.values(metadata ?? {}).includes(person.accountId ?? "-"))?.id ?? null
    );
  }
}

/** Written again here, so that a mistake in the site's own function shows. */
export function plainMailbox(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const [name = ""] = local.split("+");
  return /^g(oogle)?mail\.com$/.test(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}
