import { featureSamples } from "#tests/support/features.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { askForChange, askForCode, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { withoutRemainingTimes } from "./remaining-times.ts";

/**
 * An answer doesn't reveal whether an address has an account, or had one recently: status, headers, cookies and body,
 * and those of the page behind it. The time is measured by `npm run bench -- account-enumeration`, since a busy
 * machine would fail a test of it.
 */
const site = useSite();
beforeAll(async () => {
  await signUp(site, "known@example.com", "");
  // On hold for an account that has another address now.
  const former = await signUp(site, "moved@example.com", "");
  await askForChange(former, "moved.to@example.com");
  await typeCode(former, await site.codeTo("moved.to@example.com"));
});

let networkAddresses = 0;

type Answer = { status: number; headers: [string, string][]; html: string };

/** What differs between any two answers: ids, tokens, nonces, and the remaining time. */
function withoutOwn(text: string): string {
  return withoutRemainingTimes(text)
    .replaceAll(/\b(req|mail|acc)_\w{26}\b/g, "$1_…")
    .replaceAll(/(known|unkno|moved)@/g, "…@")
    .replaceAll(/(nonce|fingerprint)(-|=\\?"|":")[\w -]+/g, "$1…")
    .replaceAll(/(?<=__Host-|\b(browser|visit|entered)=)[\w=.-]+/g, "…")
    .replaceAll(/\b\d{13}\b/g, "…");
}

async function post(path: string, fields: Record<string, string>): Promise<[Answer, Answer]> {
  networkAddresses += 1;
  const db = await site.database();
  await db.exec("delete from quota_uses");
  const headers = { Origin: site.origin, "CF-Connecting-IP": `198.18.7.${networkAddresses}` };
  const answer = await site.fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ");
  const next = await site.fetch(answer.headers.get("Location") ?? path, { headers: { Cookie: cookie } });
  return [await readAnswer(answer), await readAnswer(next)];
}

async function readAnswer(answer: Response): Promise<Answer> {
  const headers = [...answer.headers].filter(([name]) => name !== "date");
  return {
    status: answer.status,
    headers: headers.map(([name, value]) => [name, withoutOwn(value)]),
    html: withoutOwn(await answer.text()),
  };
}

describe("an address with an account, one without and one that an account had recently get the same answer", () => {
  test.each([
    ["/login", {}],
    ["/signup", { terms: "on" }],
    ...featureSamples.flatMap(({ addressForms = [] }) =>
      addressForms.map(({ path, fields }): [string, Record<string, string>] => [path, fields]),
    ),
  ])("at %s: status, headers, cookies, text, and the next page", async (path, fields) => {
    const [known, page] = await post(path, { email: "known@example.com", ...fields });
    // As long as the other one: lengths are part of an answer.
    for (const email of ["unkno@example.com", "moved@example.com"]) {
      expect([email, await post(path, { email, ...fields })]).toEqual([email, [known, page]]);
    }
    expect([known.status, page.status]).toEqual([303, 200]);
  });

  test("after a wrong code", async () => {
    const guesses = [];
    for (const email of ["known@example.com", "unkno@example.com", "moved@example.com"]) {
      const db = await site.database();
      await db.exec("delete from quota_uses");
      const visitor = await site.visitor().open("/login");
      await askForCode(visitor, email);
      await typeCode(visitor, "00000000");
      guesses.push({ status: visitor.status, html: withoutOwn(visitor.html) });
    }
    expect(guesses.slice(1)).toEqual([guesses[0], guesses[0]]);
    expect(guesses[0]?.status).toBe(422);
  });
});
