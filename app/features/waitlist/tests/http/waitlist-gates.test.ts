import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { upgradeMessages, offerRefusalMessages } from "#app/routes/settings/upgrade/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { waitlistGateMessages } from "../../gate.messages.ts";
import { waitlistMessages } from "../../page/messages.ts";
import { waitlistEntryMessages } from "../../page/entry.messages.ts";
import { askForCode, cards, openCheckout, send, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { Authenticator } from "#tests/support/clients/authenticator.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { large, minor, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { waitlistVisitors, stateOf } from "./waitlist-visitors.ts";
import { confirmation } from "#tests/http/plans/subscribers.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";

const { byInvitation, invitedFor, planByInvitation, submit: sendCode } = signupMessages.en;
const { invitation: accepting, joined } = waitlistEntryMessages.en;
const verify = verifyMessages.en;
const upgrade = upgradeMessages.en;
const gate = waitlistGateMessages.en;

const site = useSite({ vars: { LAUNCH_GATE: "signup" } });
const line = waitlistVisitors(site);
const guarded = `plan:${large.id}`;
const choice = { plan: large.id, interval: "month" };

/** Invited by the team: the link in the email. */
async function invite(address: string, emailsBefore: number): Promise<string> {
  expect(await line.invite(1)).toBe(1);
  await site.runCron();
  return line.linkTo(address, "entry", emailsBefore + 1);
}

async function accounts(): Promise<number> {
  return Number(await (await site.database()).prepare("select count(*) as n from accounts").first("n"));
}

describe("the gate of sign-up", () => {
  const invitedOne = "ines@example.com";
  let invitation = "";

  test("is mentioned on the landing page and the sign-up page, which lead to the waitlist", async () => {
    const visitor = await site.visitor().open("/");
    expect(visitor.html).toContain('href="/waitlist"');
    expect(visitor.html).not.toMatch(/href="\/signup/);
    await visitor.open(`/signup?plan=${small.id}`);
    expect(visitor.heading()).toBe(gate.signUp.shut.title);
    expect(visitor.html).not.toContain('name="terms"');
  });

  test("is closed to a form, a direct POST, a code, the link in its email and a passkey, and no account is created", async () => {
    const stranger = "strange@example.com";
    const visitor = await site.visitor().open("/signup");
    for (const path of ["/signup", `/signup?invitation=${"x".repeat(52)}`]) {
      await visitor.post({ email: stranger, terms: "on" }, path);
      expect([path, visitor.status]).toEqual([path, 409]);
    }
    await visitor.open("/login");
    await askForCode(visitor, stranger);
    expect((await site.emailsTo(stranger))[0]?.text).not.toMatch(/\b\d{8}\b/);
    // A code from before the gate was closed, typed and by its link.
    await site.setGate("none");
    const early = "early@example.com";
    const request = await site.visitor().open("/signup");
    await askForCode(request, early);
    const [email] = await site.emailsTo(early);
    await site.setGate("signup");
    await typeCode(request, await site.codeTo(early));
    expect([request.status, request.text()]).toEqual([409, expect.stringContaining(verify.problems["by-invitation"])]);
    await request.open(/\/verify\?\S+/.exec(email?.text ?? "")?.[0] ?? "no link");
    await request.press(verify.submit["sign-up"]);
    expect(request.status).toBe(409);
    const key = await Authenticator.make(site.origin);
    const { offer } = (await (await site.fetch("/passkey-offer?for=sign-in")).json()) as {
      offer: { options: { challenge: string } };
    };
    await visitor.post({ intent: "passkey", passkey: await key.sign(offer.options.challenge, "acc_nobody") }, "/login");
    expect(visitor.status).toBeGreaterThanOrEqual(400);
    expect(await accounts()).toBe(0);
  });

  test("is open to the invited address only", async () => {
    await line.joined(invitedOne);
    invitation = await invite(invitedOne, 1);
    const visitor = await site.visitor().open(invitation);
    await visitor.press(accepting.button);
    expect(visitor.path()).toMatch(/^\/signup\?invitation=/);
    expect(visitor.heading()).toBe(invitedFor.title(null));
    expect(visitor.text()).toContain(invitedFor.address(invitedOne));
    expect(visitor.html).toContain(`value="${invitedOne}"`);
    await askForCode(visitor, "another@example.com");
    expect([visitor.status, visitor.text()]).toEqual([
      409,
      expect.stringContaining(byInvitation.refusals["invitation-elsewhere"]),
    ]);
    await askForCode(visitor, invitedOne);
    expect(visitor.path()).toMatch(/^\/verify/);
    await visitor.press(verify.change);
    expect(visitor.text()).toContain(invitedFor.address(invitedOne));
    expect(visitor.html).toContain(`value="${invitedOne}"`);
    await line.setTime(0, 0.1);
    await visitor.press(sendCode);
    await typeCode(visitor, await site.codeTo(invitedOne, 4));
    expect(visitor.path()).toBe("/settings");
    expect(await stateOf(site, invitedOne)).toBe("joined");
    await site.runCron();
    expect((await line.subjectsTo(invitedOne, 5))[0]).toMatch(subjectOf("waitlist-joined"));
  });

  test("is opened once by an invitation, whose outcome is shown", async () => {
    const visitor = await site.visitor().open(invitation);
    expect(visitor.heading()).toBe(joined.title(product.name));
    await visitor.post({ intent: "accept" });
    expect(visitor.status).toBe(409);
    await visitor.open(`/signup?invitation=${invitation.split("=")[1]}`);
    expect(visitor.heading()).toBe(byInvitation.used.title);
    await visitor.post({ email: invitedOne, terms: "on" });
    expect(visitor.status).toBe(409);
  });

  test("stays closed if the invitation expires while its code is entered", async () => {
    const late = "late@example.com";
    await line.joined(late);
    const link = await invite(late, 1);
    await line.setTime(5, 0.05);
    const visitor = await site.visitor().open(link);
    await visitor.press(accepting.button);
    await askForCode(visitor, late);
    const code = await site.codeTo(late, 3);
    await line.setTime(5, 0.15);
    await typeCode(visitor, code);
    expect([visitor.status, visitor.text()]).toEqual([
      409,
      expect.stringContaining(verify.problems["invitation-over"]),
    ]);
    expect(await accounts()).toBe(1);
  });
});

describe("the gate of a plan", () => {
  const owner = "paula@example.com";

  test("leaves sign-up open, and is mentioned on the landing page, at sign-up and on the page of plans", async () => {
    await site.setGate(guarded);
    // The provider's clock keeps running: both are the real one again.
    await site.setClock(0);
    const visitor = await site.visitor().open("/");
    expect(visitor.text()).toContain(gate.landing.plan.join(large.name));
    expect(visitor.html).not.toContain(`/signup?plan=${large.id}`);
    expect((await visitor.open(`/signup?plan=${large.id}`)).text()).toContain(planByInvitation(large.name));
    const customer = await signUp(site, "frida@example.com", "");
    await customer.open("/settings/upgrade");
    expect(customer.text()).toContain(gate.plans.join);
    expect(customer.html).not.toMatch(pattern`name="plan" value="${large.id}"`);
  });

  test("is closed to a direct visit of the checkout, to direct POSTs of quotes and confirmations, and to a change of plan", async () => {
    const customer = await signUp(site, "bruno@example.com");
    await openCheckout(customer);
    const back = await send(customer.url, checkoutFields(cards.good));
    const stranger = await signUp(site, "gate@example.com", `?plan=${large.id}&interval=month`);
    expect(stranger.text()).toContain(offerRefusalMessages.en.refusals["plan-behind-gate"]);
    for (const visitor of [stranger, await customer.open(back)]) {
      await visitor.post({ ...choice, intent: "quote" }, "/settings/upgrade");
      expect(visitor.text()).toContain(offerRefusalMessages.en.refusals["plan-behind-gate"]);
      const quote = `${minor(large)}.${product.currency}.${Date.now()}.`;
      await visitor.post({ ...choice, intent: "confirm", quote }, "/settings/upgrade");
      expect([visitor.status, visitor.text()]).toEqual([
        409,
        expect.stringContaining(offerRefusalMessages.en.refusals["plan-behind-gate"]),
      ]);
    }
  });

  test("lets invited accounts open its checkout, and the payment uses the invitation up", async () => {
    const visitor = await signUp(site, owner, "");
    await visitor.open("/waitlist");
    expect(visitor.text()).toContain(waitlistMessages.en.join.known(owner));
    await visitor.press(waitlistMessages.en.join.submit);
    expect(await line.rank(visitor)).toEqual([0, 0]);
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(gate.plans.ownChip);
    expect(visitor.text()).toContain(gate.plans.own);
    expect(visitor.text()).not.toContain(gate.plans.join);
    await visitor.open("/settings");
    expect(visitor.text()).toContain(gate.overview.waits(`${product.name} ${large.name}`));
    const invitation = await invite(owner, 1);
    await visitor.open("/settings");
    expect(visitor.text()).toContain(overviewPlanMessages.en.invited(`${product.name} ${large.name}`));
    await visitor.open(invitation);
    const elsewhere = await signUp(site, "other@example.com", "");
    await elsewhere.open(visitor.url);
    await elsewhere.press(accepting.button);
    expect([elsewhere.status, elsewhere.text()]).toEqual([
      409,
      expect.stringContaining(waitlistMessages.en.refusals["invitation-elsewhere"]),
    ]);
    await visitor.press(accepting.button);
    expect(visitor.path()).toBe(`/settings/upgrade?plan=${large.id}&interval=month`);
    expect(confirmation(visitor).quote).toMatch(pattern`^${minor(large)}\.`);
    await visitor.open("/settings/upgrade");
    expect(visitor.text()).toContain(upgrade.invitedChip);
    await visitor.open(`/settings/upgrade?plan=${large.id}&interval=month`);
    await visitor.press(upgrade.confirm.submit(large.name, price(large), upgrade.perMonth));
    await visitor.open(await send(visitor.url, checkoutFields(cards.another)));
    expect(visitor.path()).toMatch(/^\/payment\/success/);
    // By the payment's page or its events; what a busy moment leaves undone, the cron job finds.
    const afterStrike = () => site.runCron().then(() => stateOf(site, owner));
    await expect.poll(afterStrike).toBe("joined");
    expect(await line.subjectsTo(owner, 4)).toContainEqual(expect.stringMatching(subjectOf("waitlist-joined")));
  });
});

test("search engines get the page with a waitlist", async () => {
  for (const [gate, isIndexed] of [
    ["none", false],
    ["signup", true],
  ] as const) {
    await site.setGate(gate);
    const { html } = await site.visitor().open("/waitlist");
    expect([gate, html.includes('rel="canonical"'), html.includes('content="noindex"')]).toEqual([
      gate,
      isIndexed,
      !isIndexed,
    ]);
    expect((await (await site.fetch("/sitemap.xml")).text()).includes("/waitlist</loc>")).toBe(isIndexed);
  }
});
