import { activateDevice, licenceKeyOf, signUp } from "#tests/support/clients/customers.ts";
import type { Site } from "#tests/support/site/site.ts";

/** An account with a device, as the product sees it and as the site does. */
export async function withDevice(site: Site, address: string, name = "Anna's machine") {
  const visitor = await signUp(site, address, "");
  const { deviceToken: token } = await activateDevice(site, await licenceKeyOf(visitor), name);
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    site.fetch(`/api/v1${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers },
      body: body && JSON.stringify(body),
    });
  return { visitor, ask };
}
