import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import type { Site } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

/** A customer who signed up on the pages, pays, and has a device. */
export type ACustomer = {
  email: string;
  visitor: Visitor;
  /** A call of the product API from their device. */
  call: (method: string, path: string, body?: object) => Promise<Response>;
};

export async function aCustomer(site: Site, email: string): Promise<ACustomer> {
  const visitor = await subscriber(site, email);
  const ask = (headers: Record<string, string>) => (method: string, path: string, body?: object) =>
    site.fetch(`/api/v1${path}`, {
      method,
      headers: { ...headers, "CF-Connecting-IP": nextNetwork(), "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
  await visitor.open(pages.account);
  await visitor.press("Show the key");
  const licenceKey = /\b([0-9A-Z]{4}-){7}[0-9A-Z]{5}\b/.exec(visitor.html)?.[0];
  const activated = await ask({})("POST", "/devices", {
    licenceKey,
    fingerprint: email,
    name: "Machine",
    platform: "Linux",
  });
  const { deviceToken } = (await activated.json()) as { deviceToken: string };
  return { email, visitor, call: ask({ Authorization: `Bearer ${deviceToken}` }) };
}

/** A device's usage report for the first meter. */
export function aReport(value: number): object {
  const { meters }: ProductConfig = product;
  return { meter: meters[0]?.key, value, at: new Date(Date.now() - 1_000).toISOString() };
}

let networks = 0;

/** Each request comes from a network of its own, since the rate limiter counts networks. */
export function nextNetwork(): string {
  networks += 1;
  return `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`;
}
