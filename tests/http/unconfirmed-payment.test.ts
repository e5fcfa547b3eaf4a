import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { paymentWords } from "#app/routes/payment/messages.ts";
import { small } from "#tests/support/catalogue.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { type Mishap, startDetour } from "./stripe-detour.ts";

const words = paymentWords.en;
let site: Site;
let detour: Awaited<ReturnType<typeof startDetour>>;

beforeAll(async () => {
  detour = await startDetour();
  site = await startSite({ vars: { STRIPE_API_BASE: detour.origin } });
  detour.leadTo(site.stripe?.origin ?? "");
});
afterEach(async () => {
  detour.clear();
  await site.stripe?.control("disorder", {});
});
afterAll(async () => {
  await site.close();
  detour.close();
});

/** Somebody who has paid, and of whom no event has come: their browser is on its way back. */
async function payer(address: string) {
  const visitor = await site.visitor().open(`/signup?plan=${small.id}&interval=month`);
  await visitor.press("Send me a code", { email: address, terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo(address) });
  await visitor.press(`Start ${small.name}`);
  const session = new URL(visitor.url).pathname.split("/").at(-1) ?? "";
  await site.stripe?.control("disorder", { drop: 1000 });
  const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
  return { visitor, back: paid?.redirect ?? "" };
}

const refreshIn = (html: string) => {
  const [, seconds, path] = /http-equiv="refresh" content="([\d.]+); url=([^"]+)"/i.exec(html) ?? [];
  return { seconds: Number(seconds), path: path?.replaceAll("&amp;", "&") ?? "" };
};

test.each<Mishap>([429, 500, "dropped"])(
  "who paid and whose payment can't be asked about (%s) is told that it is being confirmed, and not to pay again",
  async (mishap) => {
    const { visitor, back } = await payer(`unconfirmed-${mishap}@example.com`);
    detour.plan(/^GET /, mishap, "and-after");
    await visitor.open(back);
    expect([visitor.status, visitor.heading()]).toEqual([200, words.unconfirmed.title]);
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    expect(visitor.text()).toContain("Please don't pay again.");
    expect(visitor.text()).not.toContain(words.pages["new-plan"].open.title);
    for (const label of [words.again.cancelled, words.again.same, words.again.choose]) {
      expect(visitor.text()).not.toContain(label);
    }
    const first = refreshIn(visitor.html);
    await visitor.open(first.path);
    const second = refreshIn(visitor.html);
    expect([first.seconds, second.seconds]).toEqual([5, 10]);
    expect(visitor.heading()).toBe(words.unconfirmed.title);
    detour.clear();
    await visitor.open(second.path);
    expect(visitor.heading()).toBe(words.pages["new-plan"].success.title);
    expect(refreshIn(visitor.html).path).toBe("");
  },
);

test("a browser without scripts looks again less and less often, and never seldomer than once a minute", async () => {
  const { visitor, back } = await payer("backoff@example.com");
  detour.plan(/^GET /, 500, "and-after");
  const waits: number[] = [];
  for (let path = back; waits.length < 6; path = refreshIn(visitor.html).path) {
    await visitor.open(path);
    waits.push(refreshIn(visitor.html).seconds);
  }
  expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  await visitor.open(`${refreshIn(visitor.html).path.replace(/looks=\d+/, "looks=99999999")}`);
  expect(refreshIn(visitor.html).seconds).toBe(60);
});

test("a single rate limit on the way back is not seen: it is asked once more", async () => {
  const { visitor, back } = await payer("retried@example.com");
  await site.stripe?.control("disorder", { drop: 1000, apiFault: { kind: "429", next: 2 } });
  await visitor.open(back);
  expect(visitor.heading()).toBe(words.pages["new-plan"].success.title);
});
