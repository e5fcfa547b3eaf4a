import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { activateDevice, licenceKeyOf, signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

/** A key created as docs/guides/deploy.md says. */
function madeKey(): string {
  const [, script = ""] =
    /^node -e "(.+)" > signing-key\.json$/m.exec(readFileSync("docs/guides/deploy.md", "utf8")) ?? [];
  return execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim();
}

const [oldKey, newKey] = [madeKey(), madeKey()];
const site = useSite({ stripe: false, vars: { ENTITLEMENT_SIGNING_KEY: oldKey } });

const published = async () => (await (await site.fetch("/.well-known/jwks.json")).json()) as JSONWebKeySet;

test("a key is rotated as docs/guides/deploy.md says, and a product can verify its token at any time", async () => {
  const owner = await signUp(site, "keys@example.com", "");
  const { deviceToken } = await activateDevice(site, await licenceKeyOf(owner), "Machine");
  const Authorization = `Bearer ${deviceToken}`;
  const entitlement = (etag = "") =>
    site.fetch("/api/v1/entitlement", { headers: { Authorization, "If-None-Match": etag } });
  const tokenOf = async (answer: Response) => ((await answer.json()) as { token: string }).token;
  const signedBy = async (token: string, keys: JSONWebKeySet) =>
    (await jwtVerify(token, createLocalJWKSet(keys), { issuer: site.origin })).protectedHeader.kid;

  const before = await entitlement();
  const etag = before.headers.get("ETag") ?? "";
  const oldToken = await tokenOf(before);
  const [old] = (await published()).keys;
  expect(await signedBy(oldToken, await published())).toBe(old?.kid);

  // Old above new: the new one is published before it signs.
  await site.setKeys(`${oldKey}\n${newKey}`);
  const both = await published();
  expect([both.keys.length, both.keys[0]?.kid]).toEqual([2, old?.kid]);
  expect((await entitlement(etag)).status).toBe(304);

  // New above old: the new one signs, and what the old one signed is still valid; the next request gets a new one at
  // once.
  await site.setKeys(`${newKey}\n${oldKey}`);
  const after = await entitlement(etag);
  expect(after.status).toBe(200);
  const newToken = await tokenOf(after);
  // A product that has fetched the keys an hour ago verifies it as well.
  for (const keys of [both, await published()]) {
    expect(await signedBy(newToken, keys)).toBe(both.keys[1]?.kid);
    expect(await signedBy(oldToken, keys)).toBe(old?.kid);
  }

  // The new one alone.
  await site.setKeys(newKey);
  const alone = await published();
  expect(alone.keys.map(({ kid }) => kid)).toEqual([both.keys[1]?.kid]);
  expect(await signedBy(newToken, alone)).toBe(both.keys[1]?.kid);
  await expect(signedBy(oldToken, alone)).rejects.toThrow("no applicable key");
  expect((await entitlement(after.headers.get("ETag") ?? "")).status).toBe(304);

  // Halves of two: no product could verify what they sign, so nothing is signed and nothing published.
  const half = JSON.stringify({ ...JSON.parse(newKey), x: JSON.parse(oldKey).x });
  await site.setKeys(half);
  expect([(await entitlement()).status, (await site.fetch("/.well-known/jwks.json")).status]).toEqual([500, 500]);
});
