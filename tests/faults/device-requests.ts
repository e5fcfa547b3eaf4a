import type { Prepared } from "#tests/support/clients/visitor.ts";

let machines = 0;

/** A call of an installed product, each from a different network. */
export function call(method: string, path: string, body: object, headers: Record<string, string> = {}): Prepared {
  machines += 1;
  const ip = `203.0.${Math.floor(machines / 250) % 250}.${(machines % 250) + 1}`;
  const own = { "Content-Type": "application/json", "CF-Connecting-IP": ip };
  return { method, path: `/api/v1${path}`, headers: { ...own, ...headers }, body: JSON.stringify(body) };
}

export function activation(licenceKey: string, fingerprint: string): Prepared {
  return call("POST", "/devices", { licenceKey, fingerprint, name: fingerprint, platform: "Linux" });
}
