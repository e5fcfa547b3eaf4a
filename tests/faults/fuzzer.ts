import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { licenceKeyOf, subscriber } from "#tests/support/clients/customers.ts";
import { sendRaw, bytesOf } from "#tests/support/clients/last-byte-requests.ts";
import { networkAddresses } from "#tests/support/clients/network-addresses.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { customerOf } from "#tests/http/plans/subscribers.ts";

const innards = /SQLITE|D1_ERROR|no such table|Failed query|Cannot read prop|is not a function|\.[jt]sx?\b:\d/;
/** Number of requests by one customer, some of which sign out, close the account or use up an hourly quota. */
const requestsEach = 60;

export type Who = "customer" | "stranger" | "garbage";

/**
 * Sends the given requests as a customer who is replaced from time to time, and checks whether the site still works.
 */
export class Fuzzer {
  private readonly site: Site;
  private readonly nextNetworkAddress = networkAddresses("100.64");
  private customer: Visitor | null = null;
  private token = "";
  private provider = "";
  private people = 0;
  private left = 0;
  sent = 0;
  /** How often each status was answered. */
  readonly statuses: Record<number, number> = {};

  constructor(site: Site) {
    this.site = site;
  }

  async send(method: string, path: string, own: Record<string, string>, body: string | Buffer, who: Who = "stranger") {
    const customer = await this.renew();
    const cookie = { customer: customer.ownHeaders()["Cookie"] ?? "", stranger: "", garbage: own["Cookie"] ?? "" }[who];
    const { Cookie: _, ...others } = own;
    const base = { Origin: this.site.origin, "CF-Connecting-IP": this.nextNetworkAddress() };
    const given = { ...base, ...(cookie && { Cookie: cookie }), ...others };
    const head = bytesOf(this.site.origin, { method, path, headers: given, body: "" });
    const length = Buffer.byteLength(body);
    // The head as it is, with the true length of a body of any bytes.
    const sized = Buffer.from(
      head.toString("latin1").replace("Content-Length: 0", `Content-Length: ${length}`),
      "latin1",
    );
    const answer = await sendRaw(this.site.origin, Buffer.concat([sized, Buffer.from(body)]));
    this.sent += 1;
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    const shown = `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`;
    if (answer.status >= 500 || answer.status === 0) throw new Error(shown);
    expect(innards.exec(answer.text)?.[0]).toBeUndefined();
    const next = await this.site.fetch("/legal/terms?uncached");
    await next.text();
    expect([shown, next.status]).toEqual([shown, 200]);
    return answer;
  }

  async tokenOfDevice(): Promise<string> {
    await this.renew();
    return this.token;
  }

  async customerAtProvider(): Promise<string> {
    await this.renew();
    return this.provider;
  }

  private async renew(): Promise<Visitor> {
    if (this.customer && this.left > 0) {
      this.left -= 1;
      return this.customer;
    }
    this.people += 1;
    this.left = requestsEach;
    await (await this.site.database()).exec("delete from quota_uses");
    const address = `fuzz-${this.people}-${randomBytes(3).toString("hex")}@example.com`;
    const customer = await subscriber(this.site, address);
    const body = JSON.stringify({
      licenceKey: await licenceKeyOf(customer),
      fingerprint: "f",
      name: "n",
      platform: "p",
    });
    const own = { "Content-Type": "application/json", "CF-Connecting-IP": this.nextNetworkAddress() };
    const activated = await this.site.fetch("/api/v1/devices", { method: "POST", headers: own, body });
    this.token = ((await activated.json()) as { deviceToken: string }).deviceToken;
    this.provider = await customerOf(this.site, address);
    this.customer = customer;
    return customer;
  }
}
