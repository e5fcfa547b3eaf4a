import { endSession, endOtherSessions } from "#app/modules/accounts/commands/end-session.server.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import type { Carried, Purpose } from "#app/modules/accounts/codes/rules.ts";
import { addVisit } from "#app/modules/referrals/queries.server.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { type EmailAddress, parseEmailAddress } from "#app/core/text/email-address.ts";
import { type AccountId, newToken } from "#app/core/id.ts";
import type { WorldApp } from "../make-app.ts";
import { Refused } from "../refused.ts";
import type { World } from "../world.ts";
import { must } from "../must.ts";
import { Violated } from "../violated.ts";

/** Stands for an account's id where someone typed an address at the gate without having proven that it's theirs. */
export const ofNoAccount = "no account";

/** `cookie` is the request's, whatever the browser gets in the meantime. */
export type SignedIn = { app: WorldApp; viewer: Viewer; cookie: SessionCookie | null };

/** A person with a browser of their own. What they know is what their browser and their mailbox contain. */
export class Person {
  readonly name: string;
  readonly world: World;
  browserToken = newBrowser();
  address: string | null = null;
  /** All addresses and names that they ever typed, with when they last did so and for which accounts. */
  readonly typed = new Map<string, { at: number; accounts: Set<string> }>();
  cookie: SessionCookie | null = null;
  accountId: AccountId | null = null;
  /** Every account they ever had. */
  readonly accountIds = new Set<string>();
  network: number;
  deviceToken: string | null = null;
  /** The page of an open checkout. */
  checkout: string | null = null;
  /** What friends ask to be let in by. */
  shareCode: string | null = null;
  /** The link by which they first opened the site. */
  ref: string | null = null;

  constructor(world: World, name: string, index: number) {
    this.world = world;
    this.name = name;
    this.network = index;
  }

  get ip(): string {
    return `198.51.${100 + (this.network % 100)}.7`;
  }

  async signsUp(app: WorldApp, address: string, code: string | null): Promise<void> {
    if (code) await addVisit(app.db, code);
    this.types(address, null);
    const carried = { termsVersion: app.product.terms.version, ...(code && { referralCode: code }) };
    const accountId = await this.proves(app, "sign-up", parsed(address), carried);
    if (code) await attributeReferral(app, { friendId: accountId, code, ip: this.ip });
  }

  async signsIn(app: WorldApp): Promise<void> {
    await this.proves(app, "sign-in", parsed(this.needsAddress()), {});
  }

  /** Signs in on a new browser. The session in the previous one stays active. */
  async signsInElsewhere(app: WorldApp): Promise<void> {
    this.needsAddress();
    this.browserToken = newBrowser();
    this.cookie = null;
    await this.signsIn(app);
  }

  async mistypes(app: WorldApp): Promise<void> {
    const request = await this.#asks(app, "sign-in", parsed(this.needsAddress()), {});
    const digits = request.digits === "00000000" ? "11111111" : "00000000";
    must(await proveAddress(app, { ...this.#proof(request.requestId), digits }));
    throw new Violated("a mistyped code is refused", { address: this.address });
  }

  /** `verifying` is the app of the form with the code, which isn't held to the session: that ends with the old address. */
  async changesAddress(verifying: WorldApp, { app, viewer }: SignedIn, address: string): Promise<void> {
    this.types(address);
    const others = this.world.sessions.ofAccount(viewer.account.id);
    await this.proves(app, "change-email", parsed(address), {}, viewer.account.id);
    this.address = address;
    await this.world.sessions.end(app, others);
    verifying.later(reconcileCustomer(verifying, viewer.account.id));
  }

  async proves(app: WorldApp, purpose: Purpose, address: EmailAddress, carried: Carried, accountId?: AccountId) {
    const { requestId, digits } = await this.#asks(app, purpose, address, carried, accountId);
    const proven = must(await proveAddress(app, { ...this.#proof(requestId), digits }));
    this.cookie = proven;
    this.world.sessions.give(proven);
    this.accountId = proven.accountId;
    this.accountIds.add(proven.accountId);
    if (purpose === "sign-up" || purpose === "change-email") this.address = address.original;
    this.types(address.original);
    this.typed.get(address.original)?.accounts.delete(ofNoAccount);
    return proven.accountId;
  }

  async #asks(app: WorldApp, purpose: Purpose, address: EmailAddress, carried: Carried, accountId?: AccountId) {
    const input = { address, purpose, carried, browserToken: this.browserToken, ip: this.ip, again: false };
    const sentBefore = this.world.emails.length;
    const { requestId } = must(await requestCode(app, { ...input, ...(accountId && { accountId }) }));
    await app.settle();
    // A form sent twice gets the request that is still valid, and no second email.
    const isTheirs = ({ to, subject }: { to: string; subject: string }) =>
      to.toLowerCase() === address.deliverable.toLowerCase() && /\b\d{8}\b/.test(subject);
    const email = this.world.emails.slice(sentBefore).findLast(isTheirs) ?? this.world.emails.findLast(isTheirs);
    const digits = /\b\d{8}\b/.exec(email?.subject ?? "")?.[0];
    if (!digits) throw new Refused("no code arrived");
    return { requestId, digits };
  }

  #proof(requestId: Parameters<typeof proveAddress>[1]["requestId"]) {
    const { browserToken, cookie } = this;
    return {
      requestId,
      browserToken,
      sessionToken: cookie?.sessionToken ?? null,
      device: "Firefox on Linux",
      country: null,
    };
  }

  async signsOut(app: WorldApp): Promise<void> {
    if (!this.cookie) throw new Refused("not signed in");
    const own = this.cookie;
    await endSession(app, own);
    await this.world.sessions.end(app, [own]);
  }

  async signsOutEverywhere({ app, viewer, cookie }: SignedIn): Promise<void> {
    const others = this.world.sessions.ofAccount(viewer.account.id, cookie);
    must(await endOtherSessions(app, viewer));
    await this.world.sessions.end(app, others);
  }

  async viewer(app: WorldApp): Promise<Viewer> {
    const { cookie } = this;
    // Checks a session that had ended before this request. One that ends in the meantime is another invariant's.
    const hadEnded = cookie !== null && this.world.sessions.hasEnded(cookie);
    const viewer = cookie && (await findSignedIn(app, cookie));
    if (cookie && hadEnded) this.world.sessions.mustNotBe(cookie, viewer);
    if (!viewer) throw new Refused("not signed in");
    return viewer;
  }

  /** They type an address or a name. `account` is the account that it is for, if that is known. */
  types(text: string, account: string | null = this.accountId): void {
    const before = this.typed.get(text);
    const accounts = before?.accounts ?? new Set<string>();
    if (account !== null) accounts.add(account);
    this.typed.set(text, { at: this.world.now(), accounts });
  }

  needsAddress(): string {
    if (this.address === null) throw new Refused("has no account");
    this.types(this.address);
    return this.address;
  }
}

const newBrowser = (): string => newToken((count) => crypto.getRandomValues(new Uint8Array(count)));

export function parsed(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}
