import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { captchaMessages } from "#app/features/captcha/messages.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { shareUnchecked, shareWithoutChallenge } from "#app/modules/accounts/codes/challenge.rules.ts";
import { sendGapMs, sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { askForCode, signUp } from "#tests/support/clients/customers.ts";
import { networkAddresses } from "#tests/support/clients/network-addresses.ts";
import { featureSamples } from "#tests/support/features.ts";
import { startTurnstile } from "#app/features/captcha/tests/start-turnstile.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const turnstile = await startTurnstile();
afterAll(turnstile.close);
const plain = useSite({ stripe: false });
const site = useSite({ stripe: false, vars: turnstile.variables });

const freeMax = sendsPerNetworkMax * shareWithoutChallenge;
const uncheckedMax = sendsPerNetworkMax * shareUnchecked;
const nextNetwork = networkAddresses("198.18");

let network: string;
let people = 0;
beforeEach(() => {
  network = nextNetwork();
  turnstile.be("verifying");
  turnstile.calls.length = 0;
});

const forms: Record<string, { form: string; fields: Record<string, string> }> = {
  "/login": { form: "sign-in", fields: {} },
  "/signup": { form: "sign-up", fields: { terms: "on" } },
  ...Object.fromEntries(
    featureSamples
      .flatMap(({ addressForms = [] }) => addressForms)
      .map(({ path, name, fields }) => [path, { form: name, fields }]),
  ),
};
type Path = string;
const paths = Object.keys(forms);

/** Another person's address each time, so that only the network counts. */
const newAddress = () => `person.${(people += 1)}@example.com`;

async function post(path: Path, { email = newAddress(), captcha = "", query = "", at = site } = {}) {
  const fields = { ...forms[path]?.fields, email, ...(captcha && { captcha }) };
  const answer = await at.fetch(path + query, {
    method: "POST",
    headers: {
      Origin: at.origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "CF-Connecting-IP": network,
    },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

async function fillFree(path: Path, count = freeMax): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) expect((await post(path)).status).toBe(303);
}

const policyOf = (headers: Headers) => headers.get("Content-Security-Policy")?.replace(/nonce-\w+/, "nonce-N") ?? "";
const codesFor = async (address: string) =>
  (await (
    await site.database()
  )
    .prepare("select count(*) n from codes where address = ?")
    .bind(address)
    .first("n")) as number;

describe.each(paths)("the form of %s", (path) => {
  const { form = "" } = forms[path] ?? {};

  test("has no captcha at first, and none at all on a site without", async () => {
    const page = await site.fetch(path);
    const without = await plain.fetch(path);
    expect(await page.text()).not.toContain(turnstile.siteKey);
    expect(policyOf(page.headers)).toBe(policyOf(without.headers));
    network = nextNetwork();
    for (let nth = 0; nth <= freeMax; nth += 1) expect((await post(path, { at: plain })).status).toBe(303);
  });

  test("asks for a captcha once its network is suspicious, with what was typed, on this page alone", async () => {
    await fillFree(path);
    const email = newAddress();
    const { status, headers, html } = await post(path, { email });
    expect(status).toBe(429);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(3500);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(html).toContain(`value="${email}"`);
    if (path === "/signup") expect(html).toMatch(/<input[^>]*name="terms"[^>]*checked/);
    expect(html).toContain(turnstile.siteKey);
    expect(html).toContain(captchaMessages.en.why.missing.replaceAll("'", "&#x27;"));
    const withoutScript = quotaRefusalMessages.en["challenge-wanted"](refusalMessages.en.wait(3600));
    expect(html).toContain(`<noscript><p>${withoutScript.replaceAll("'", "&#x27;")}</p></noscript>`);
    const { origin } = turnstile;
    const page = await site.fetch(path);
    expect(policyOf(headers)).toBe(
      policyOf(page.headers)
        .replace("'strict-dynamic'", `'strict-dynamic' ${origin}`)
        .replace("connect-src 'self'", `connect-src 'self'; frame-src ${origin}`),
    );
    expect(policyOf(page.headers)).not.toContain(origin);
  });

  test("is accepted with a token, once", async () => {
    await fillFree(path);
    const captcha = turnstile.mint(form);
    expect((await post(path, { captcha })).status).toBe(303);
    expect(turnstile.calls).toEqual([{ secret: turnstile.secretKey, response: captcha }]);
    const again = await post(path, { captcha });
    expect(again.status).toBe(429);
    expect(again.html).toContain(captchaMessages.en.why.refused.replaceAll("'", "&#x27;"));
    expect(again.html).not.toContain(captcha);
  });

  test.each([
    ["made up", () => "made-up"],
    ["expired", () => turnstile.mint(form, "127.0.0.1", "expired")],
    ["of another form", () => turnstile.mint("contact")],
    ["of another host", () => turnstile.mint(form, "evil.example")],
    ["as long as none is", () => "x".repeat(2049)],
  ])("isn't accepted with a token that is %s", async (_what, mint) => {
    await fillFree(path);
    expect((await post(path, { captcha: mint() })).status).toBeGreaterThanOrEqual(422);
  });

  test("leaves room while the provider gives no verdict, and says when it has none", async () => {
    await fillFree(path);
    turnstile.be("failing");
    for (let nth = freeMax; nth < uncheckedMax; nth += 1)
      expect((await post(path, { captcha: turnstile.mint(form) })).status).toBe(303);
    const answer = await post(path, { captcha: turnstile.mint(form) });
    expect(answer.status).toBe(429);
    expect(answer.html).toContain(captchaMessages.en.why.unavailable.replaceAll("'", "&#x27;"));
    expect(answer.headers.get("Retry-After")).not.toBeNull();
  });

  test("gets no more than the full quota with a captcha, and then doesn't ask for one", async () => {
    await fillFree(path);
    for (let nth = freeMax; nth < sendsPerNetworkMax; nth += 1)
      expect((await post(path, { captcha: turnstile.mint(form) })).status).toBe(303);
    const answer = await post(path, { captcha: turnstile.mint(form) });
    expect(answer.status).toBe(429);
    expect(answer.html).not.toContain(turnstile.siteKey);
    expect(policyOf(answer.headers)).not.toContain(turnstile.origin);
  });

  test("sent by many at once without a token is accepted as often as it would be one after another", async () => {
    await fillFree(path, freeMax - 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test("sent by many at once with the same token is accepted once", async () => {
    await fillFree(path);
    const captcha = turnstile.mint(form);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, { captcha })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });
});

test("a refused form sends no email and keeps no code", async () => {
  await fillFree("/login");
  const email = newAddress();
  await post("/login", { email });
  expect(await codesFor(email)).toBe(0);
  await post("/login", { email, captcha: turnstile.mint("sign-in") });
  expect(await codesFor(email)).toBe(1);
});

test("what was chosen before signing up stays in the page's address", async () => {
  await fillFree("/signup");
  const query = `?plan=${small.id}&interval=year`;
  const { html } = await post("/signup", { query });
  expect(html).toContain(`action="/signup?plan=${small.id}&amp;interval=year"`);
});

test("a browser that signed in to the address before is never asked", async () => {
  const known = await signUp(site, "known@example.com", "");
  await known.post({}, "/logout");
  network = nextNetwork();
  await fillFree("/login");
  await site.setClock(sendGapMs / dayMs + 0.001);
  const answer = await site.fetch("/login", {
    method: "POST",
    headers: {
      Origin: site.origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "CF-Connecting-IP": network,
      Cookie: `__Host-browser=${known.cookies.get("__Host-browser")}`,
    },
    body: "email=known%40example.com",
  });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, expect.stringMatching(/^\/verify/)]);
  await site.setClock(0);
});

test("another email, asked for on the page that waits for a code, leads to the form that can ask for a captcha", async () => {
  const visitor = site.visitor();
  await visitor.open("/login");
  await askForCode(visitor, "waiting@example.com");
  const waits = visitor.path();
  for (let nth = 1; nth < freeMax; nth += 1) {
    await visitor.open("/login");
    await askForCode(visitor, newAddress());
  }
  await site.setClock(sendGapMs / dayMs + 0.001);
  await visitor.open(waits);
  await visitor.post({ intent: "resend" });
  expect(visitor.path()).toMatch(/^\/login\?again=req_/);
  expect(visitor.html).toContain('value="waiting@example.com"');
  await site.setClock(0);
});
