import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openVisits } from "#app/integrations/kv/visits.server.ts";

const visits = openVisits(env.VISITS, "secret");
const asking = (cookie = "") =>
  new Request("https://site.example/", { headers: { Cookie: cookie.split(";")[0] ?? "" } });

test("a visit is read as it was stored, and is empty without a cookie", async () => {
  const referral = { code: "abcdefghjk", at: 1 };
  const cookie = await visits.remember(asking(), { referral });
  expect(await visits.read(asking(cookie))).toEqual({ referral, signedInBy: null });
  expect(await visits.read(asking())).toEqual({ referral: null, signedInBy: null });
});

test.each([
  [
    { referral: "abcdefghjk", signedInBy: "code" },
    { referral: null, signedInBy: "code" },
  ],
  [
    { referral: { code: 7, at: "then" }, signedInBy: "smoke" },
    { referral: null, signedInBy: null },
  ],
  [{}, { referral: null, signedInBy: null }],
])("stored values of another shape count as absent: %j", async (stored, read) => {
  const known = new Set((await env.VISITS.list()).keys.map(({ name }) => name));
  const cookie = await visits.remember(asking(), { signedInBy: "passkey" });
  const added = (await env.VISITS.list()).keys.find(({ name }) => !known.has(name));
  await env.VISITS.put(added?.name ?? "", JSON.stringify(stored));
  expect(await visits.read(asking(cookie))).toEqual(read);
});
