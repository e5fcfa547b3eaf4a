import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import type { Account, Viewer } from "#app/modules/accounts/rules.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import type { Carried, Purpose } from "#app/modules/accounts/codes/rules.ts";
import { renameDevice } from "#app/features/devices/commands/rename-device.server.ts";
import { listDevices } from "#app/features/devices/queries.server.ts";
import { activateDevice } from "#app/features/devices/commands/activate-device.server.ts";
import { readDeviceToken } from "#app/features/devices/device-token.rules.ts";
import { reportDeviceUsage } from "#app/features/devices/commands/report-device-usage.server.ts";
import { showLicenceKey } from "#app/features/devices/reads/show-licence-key.server.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { newToken, type AccountId, noDevice } from "#app/core/id.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { addVisit } from "#app/modules/referrals/queries.server.ts";
import { parsed } from "./address.ts";
import { Customer } from "./customer.ts";
import { must, type DemoSite } from "./demo-site.ts";

type Profile = { name: string; locale?: string; timeZone: string };

/** A person with a browser of their own: what people do with their account, by the site's own commands. */
export class DemoUser {
  readonly address: string;
  readonly site: DemoSite;
  readonly money: Customer;
  readonly #browserToken: string;
  readonly #ip: string;
  #cookie: SessionCookie | null = null;

  constructor(site: DemoSite, address: string, index: number) {
    this.site = site;
    this.address = address;
    this.money = new Customer(site, () => this.account());
    this.#browserToken = newToken(site.app.random);
    this.#ip = `198.51.${100 + Math.floor(index / 250)}.${(index % 250) + 1}`;
  }

  /** Signs up with an emailed code, as on the pages. `friend` is the person whose link they used. */
  async signsUp({ name, locale, timeZone }: Profile, friend?: DemoUser): Promise<void> {
    const code = friend && (await friend.linkCode());
    if (code) await addVisit(this.site.app.db, code);
    const { termsVersion, ...carried } = { termsVersion: this.site.app.product.terms.version, referralCode: code };
    const accountId = await this.#proves("sign-up", parsed(this.address), { termsVersion, ...carried });
    if (code) await attributeReferral(this.site.app, { friendId: accountId, code, ip: this.#ip });
    await changeProfile(this.site.app, await this.viewer(), { name, locale, timeZone });
  }

  async signsIn(): Promise<void> {
    await this.#proves("sign-in", parsed(this.address), {});
  }

  /** Signs in first, which counts as the re-authentication that this sensitive action needs. */
  async changesAddress(address: string): Promise<void> {
    await this.signsIn();
    const { account } = await this.viewer();
    await this.#proves("change-email", parsed(address), {}, account.id);
    await this.site.settled();
  }

  async leaves(): Promise<void> {
    await this.signsIn();
    must(await closeAccount(this.site.app, await this.viewer()));
  }

  /**
   * Installs the product on a device: it activates itself with the licence key from the devices page, and reports
   * usage of this share of each of the plan's limits.
   */
  async installs(name: string, platform: string, share: number): Promise<void> {
    await this.signsIn();
    const licenceKey = must(await showLicenceKey(this.site.app, await this.viewer()));
    const fingerprint = `${this.address} ${name}`;
    const activated = await activateDevice(this.site.app, { licenceKey, fingerprint, name, platform, country: null });
    // Another product's plans may have only one seat.
    if (!activated.ok && activated.refusal.reason === "seats-full") return;
    const { app } = this.site;
    const deviceId = (await readDeviceToken(app.pepper, must(activated).deviceToken)) ?? noDevice;
    for (const { key: meter } of app.product.meters) {
      const { limit } = must(await reportDeviceUsage(app, deviceId, { meter, value: 0, at: app.clock() - 1 }));
      must(await reportDeviceUsage(app, deviceId, { meter, value: Math.round(limit * share), at: app.clock() }));
    }
  }

  async renamesDevice(name: string): Promise<void> {
    await this.signsIn();
    const viewer = await this.viewer();
    const [device] = await listDevices(this.site.app.db, viewer.account.id);
    if (device) must(await renameDevice(this.site.app, viewer, { id: device.id, name }));
  }

  /** Visitors open their link, without signing up. */
  async linkIsOpened(times: number): Promise<void> {
    const code = await this.linkCode();
    for (let time = 0; time < times; time += 1) await addVisit(this.site.app.db, code);
  }

  /** The code in their link. It is created when they first view it. */
  async linkCode(): Promise<string> {
    const account = await this.account();
    const { url } = await showReferrals(this.site.app, account.id, account);
    return (url && new URL(url).searchParams.get("ref")) ?? "";
  }

  async account(): Promise<Account> {
    const { db } = this.site.app;
    const signedIn = this.#cookie && (await findSignedIn(this.site.app, this.#cookie));
    const [account] = signedIn ? [signedIn.account] : await findAccountByAddress(db, parsed(this.address).canonical);
    if (!account) throw new Error(`${this.address} has no account`);
    return account;
  }

  async viewer(): Promise<Viewer> {
    const viewer = this.#cookie && (await findSignedIn(this.site.app, this.#cookie));
    if (!viewer) throw new Error(`${this.address} is not signed in`);
    return viewer;
  }

  async #proves(purpose: Purpose, address: EmailAddress, carried: Carried, accountId?: AccountId): Promise<AccountId> {
    const { site } = this;
    // All customers of the demo were admitted, even if a gate is closed now.
    const app = { ...site.app, gate: { kind: "none" as const } };
    const browserToken = this.#browserToken;
    const input = { address, purpose, carried, browserToken, ip: this.#ip, again: false };
    const { requestId } = must(await requestCode(app, { ...input, ...(accountId && { accountId }) }));
    await site.settled();
    const email = site.emails.findLast(({ to }) => to === address.deliverable);
    const digits = /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "";
    const proof = {
      requestId,
      digits,
      browserToken,
      sessionToken: this.#cookie?.sessionToken ?? null,
      device: "Firefox on Linux",
    };
    const proven = must(await proveAddress(app, { ...proof, country: null }));
    this.#cookie = proven;
    return proven.accountId;
  }
}
