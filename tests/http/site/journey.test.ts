import { describe, expect, test } from "vitest";
import { featureTools } from "../../../scripts/features.ts";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { paymentMessages, paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { askForCode, openCheckout, typeCode } from "#tests/support/clients/customers.ts";
import {
  amount,
  free,
  large,
  minor,
  pages,
  pattern,
  price,
  small,
  roundAmount,
} from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

const payment = paymentMessages.en;
const site = useSite();

/** From the landing page to the confirmation of the upgrade, with nothing but links and forms. */
async function signUpForSmall(visitor: Visitor, address: string) {
  await visitor.open("/");
  const signUp =
    pattern`href="(/signup\?plan=${small.id}[^"]*)"`.exec(visitor.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  await visitor.open(signUp);
  await askForCode(visitor, address);
  await typeCode(visitor, await site.codeTo(address));
}

describe("the journey without JavaScript", () => {
  test("leads from the first visit to sign-up, verification, payment, order, plan and product, to signing out and in again", async () => {
    const visitor = site.visitor();
    await signUpForSmall(visitor, "mara@example.com");
    expect(visitor.path()).toBe(`/settings/upgrade?plan=${small.id}&interval=month`);
    expect(visitor.heading()).toBe(upgradeMessages.en.confirm.title(small.name));
    expect(visitor.text()).toContain(price(small));

    const session = await openCheckout(visitor);
    expect(visitor.url).toContain(`${site.stripe?.origin}/checkout/`);
    const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
    await visitor.open(paid?.redirect ?? "");
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=ord_/);
    expect(visitor.heading()).toBe(payment.pages["new-plan"].success.title);

    await visitor.open("/settings/orders");
    expect(visitor.text()).toContain(`${new Date().getUTCFullYear()}-000001`);
    await visitor.open(pages.plan);
    expect(visitor.text()).toContain(planMessages.en.lead(small.name));
    expect(visitor.text()).toMatch(fillGaps(planMessages.en.cardText("Visa •••• 4242", gap)));
    await visitor.open("/settings");
    expect(visitor.text()).toContain(gettingStartedMessages.en.title(product.name));

    await visitor.press(rootMessages.en.signOut);
    expect(visitor.path()).toBe("/");
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    await visitor.open("/settings");
    expect(visitor.path()).toBe("/login?redirectTo=%2Fsettings");

    // The browser signed in here before, so the email of a moment ago doesn't count against its quota.
    await askForCode(visitor, "mara@example.com");
    await typeCode(visitor, await site.codeTo("mara@example.com", 3));
    expect(visitor.path()).toBe("/settings");
    expect(visitor.text()).toContain(overviewMessages.en.lead("mara@example.com"));
  });

  test("returns from the payment page to cancelled, and keeps the choice", async () => {
    const visitor = site.visitor();
    await signUpForSmall(visitor, "nils@example.com");
    const session = await openCheckout(visitor);
    const back = await site.stripe?.control("checkout", { session, outcome: "cancelled" });
    await visitor.open(back?.redirect ?? "");
    expect(visitor.path()).toMatch(/^\/payment\/cancelled\?order=/);
    expect(visitor.heading()).toBe(payment.pages["new-plan"].open.title);
    expect(visitor.html).toContain(`/settings/upgrade?plan=${small.id}&amp;interval=month`);
    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
    expect(await openCheckout(visitor)).toBe(session);
  });

  test("returns to failed after a decline, with a reason, and the next try can succeed", async () => {
    const visitor = site.visitor();
    await signUpForSmall(visitor, "olga@example.com");
    const session = await openCheckout(visitor);
    await site.stripe?.control("checkout", { session, outcome: "declined" });
    const back = await site.stripe?.control("checkout", { session, outcome: "cancelled" });
    await visitor.open(back?.redirect ?? "");
    expect(visitor.path()).toMatch(/^\/payment\/failed\?order=/);
    expect(visitor.text()).toContain(paymentReasonsMessages.en.declined);
    const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
    await visitor.open(paid?.redirect ?? "");
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=/);
  });
});

describe("a payment page shows the real state:", () => {
  test("an unpaid order isn't shown as paid because its address says so", async () => {
    const visitor = site.visitor();
    await signUpForSmall(visitor, "pia@example.com");
    await openCheckout(visitor);
    await visitor.open("/payment/success");
    expect(visitor.path()).toMatch(/^\/payment\/cancelled\?order=/);
    await visitor.open(pages.plan);
    expect(visitor.text()).toContain(planMessages.en.lead(free.name));
  });

  test("another account's order is 404, and without a session every order requires signing in", async () => {
    const owner = site.visitor();
    await signUpForSmall(owner, "quentin@example.com");
    await openCheckout(owner);
    await owner.open("/settings/orders");
    const [order = ""] = /ord_\w+/.exec(owner.html) ?? [];
    const stranger = site.visitor();
    const see = async (id: string) => {
      await stranger.open(`/payment/success?order=${id}`);
      return [stranger.status, stranger.heading()];
    };
    expect(await see(order)).toEqual([200, payment.signedOut.title]);
    expect(await see("ord_of_nobody")).toEqual([200, payment.signedOut.title]);
    await signUpForSmall(stranger, "rosa@example.com");
    expect(await see(order)).toEqual([200, payment.unknown.title]);
    expect(await see("ord_of_nobody")).toEqual([200, payment.unknown.title]);
    await stranger.open(`/settings/orders/${order}`);
    expect(stranger.status).toBe(404);
    await owner.open(`/settings/orders/${order}`);
    expect(owner.status).toBe(200);
  });

  test("an unknown status is 404 with a page", async () => {
    const visitor = await site.visitor().open("/payment/done");
    expect(visitor.status).toBe(404);
    expect(visitor.heading()).toBe(rootMessages.en.missing.title);
  });

  test("a payment that takes days is shown as processing, and grants nothing until it has arrived", async () => {
    const visitor = site.visitor();
    await signUpForSmall(visitor, "sven@example.com");
    const session = await openCheckout(visitor);
    const begun = await site.stripe?.control("checkout", { session, outcome: "processing" });
    await visitor.open(begun?.redirect ?? "");
    expect(visitor.path()).toMatch(/^\/payment\/processing\?order=/);
    await visitor.open(pages.plan);
    expect(visitor.text()).toContain(planMessages.en.lead(free.name));
    await site.stripe?.control("checkout", { session, outcome: "paid" });
    await visitor.open("/payment/processing");
    expect(visitor.path()).toMatch(/^\/payment\/success\?order=/);
    const subjects = (await site.emailsTo("sven@example.com", 3)).map((email) => email.subject);
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("payment-processing")));
    expect(subjects).toContainEqual(expect.stringMatching(subjectOf("payment-arrived")));
  });
});

describe("a link to a public page", () => {
  const ofCore = { landing: "/", signup: "/signup", login: "/login" };
  const paths: Record<string, string> = Object.assign(ofCore, ...featureTools.map(({ pictures }) => pictures?.paths));

  test.each(Object.entries(paths))("shows a picture when it is shared: %s", async (page, path) => {
    const html = await (await site.fetch(path)).text();
    const picture = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "no picture";
    const served = await fetch(picture);
    expect([served.status, served.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(picture).toBe(`${site.origin}/social/${page}.png`);
  });

  test.each(["/", "/login", "/signup", "/withdraw", "/legal/terms", "/legal/privacy", "/legal/imprint"])(
    "describes in a sentence its page and its picture: %s",
    async (path) => {
      const html = await (await site.fetch(path)).text();
      const metaOf = (name: string) => new RegExp(`(?:name|property)="${name}" content="([^"]{10,})"`).exec(html)?.[1];
      expect(metaOf("description")).toBeDefined();
      expect(metaOf("og:description")).toBe(metaOf("description"));
      expect(metaOf("og:image")).toContain("/social/");
      expect(metaOf("og:image:alt")).toContain(product.name);
      expect(html).toContain('property="og:type" content="website"');
    },
  );
});

describe("a referral link", () => {
  test("is stored when it is visited, attributed at sign-up, and says that the discount is refunded after the first payment", async () => {
    const { confirm } = upgradeMessages.en;
    const discount = amount(product.referral.friendDiscountMinor);
    const full = amount(minor(small));
    const referrer = site.visitor();
    await signUpForSmall(referrer, "referrer@example.com");
    await referrer.open("/settings/referral");
    const link = /\/\?ref=[a-z0-9]+/.exec(referrer.html)?.[0] ?? "";

    const friend = site.visitor();
    await friend.open(link);
    expect(friend.text()).toContain(
      landingMessages.en.friend(roundAmount(product.referral.friendDiscountMinor), product.referral.attributionDays),
    );
    await signUpForSmall(friend, "friend@example.com");
    expect(friend.text()).toContain(`${confirm.now} ${full}`);
    expect(friend.text()).toContain(confirm.friendText(discount, false));
    const session = await openCheckout(friend);
    const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
    await friend.open(paid?.redirect ?? "");
    expect(friend.path()).toMatch(/^\/payment\/success\?order=/);
    expect(friend.text()).toContain(full);
    await referrer.open("/settings/referral");
    const { initial, joined } = referralMessages.en.friends;
    expect(referrer.text()).toContain(joined(initial("F"), ""));

    await friend.open(`/settings/upgrade?plan=${large.id}`);
    expect(friend.text()).not.toMatch(fillGaps(confirm.friendText(gap, false)));
  });
});
