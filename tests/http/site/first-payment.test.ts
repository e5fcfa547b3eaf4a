import { describe, expect, test } from "vitest";
import {
  firstPaymentStepsMessages,
  firstPaymentCardMessages,
} from "#app/routes/landing/first-payment-steps.messages.ts";
import { setUpMessages } from "#app/routes/set-up/messages.ts";
import { operatorCookieMs } from "#app/modules/operators/operator-cookie.rules.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { operatorToken } from "#tests/support/clients/operator-driver.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

const card = firstPaymentCardMessages.en;
const { steps, nextTest } = firstPaymentStepsMessages.en;

describe("the steps to a first payment", () => {
  const site = useSite({ vars: { LAUNCH_GATE: "none" } });

  const showToken = async (token: string, visitor: Visitor = site.visitor()) =>
    (await visitor.open("/set-up")).submit("token", { token });
  const stateOf = (visitor: Visitor, title: string) => new RegExp(`${title} (\\S+( do)?)`).exec(visitor.text())?.[1];

  test("are shown to who has the token, follow what happens, and end with the payment", async () => {
    const operator = await showToken(operatorToken);
    expect(operator.path()).toBe("/");
    expect(operator.text()).toContain(card.title);
    expect(operator.headers.get("Cache-Control")).toBe("no-store");
    expect(operator.html).toMatch(/<meta http-equiv="refresh"/i);
    expect(stateOf(operator, steps.prices.title)).toBe(card.states.done);
    expect(stateOf(operator, steps["sign-up"].title)).toBe(card.states["to-do"]);

    await subscriber(site, "ada@company.com");
    await expect.poll(async () => (await operator.open("/")).text(), { timeout: 15_000 }).toContain(card.titleComplete);
    expect(operator.text()).toContain(nextTest);
    expect(operator.html).not.toMatch(/http-equiv="refresh"/i);
    for (const name of ["stripe", "prices", "sign-up", "email", "payment", "webhook"] as const) {
      expect(stateOf(operator, steps[name].title), name).toBe(card.states.done);
    }

    await operator.press(card.hide);
    expect(operator.path()).toBe("/");
    expect(operator.text()).not.toContain(card.titleComplete);
  });

  test("need the token, which stays out of the address, the cookie and the page", async () => {
    const visitor = await showToken("local-operator-toke");
    expect(visitor.status).toBe(422);
    expect(visitor.text()).toContain(setUpMessages.en.problems["token-refused"]);
    expect(visitor.html).not.toContain("local-operator-toke");
    expect(visitor.headers.get("Set-Cookie") ?? "").not.toContain("__Host-operator");

    const answer = await site.fetch("/set-up", {
      method: "POST",
      headers: { Origin: site.origin, "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token: operatorToken }),
    });
    const cookie = answer.headers.get("Set-Cookie") ?? "";
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    expect(cookie).toContain(`Max-Age=${operatorCookieMs / 1000}; HttpOnly; Secure; SameSite=Strict`);
    expect(cookie).not.toContain(operatorToken);

    const forged = cookie.split(";")[0]?.replace(/=\d+\./, `=${Date.now() + 10 * operatorCookieMs}.`) ?? "";
    const shown = await site.fetch("/", { headers: { Cookie: forged } });
    expect(await shown.text()).not.toContain(card.hide);
  });

  test("leave the cached page of all others as it is", async () => {
    const pages: string[] = [];
    await site.fetch("/");
    await showToken(operatorToken);
    for (let visit = 0; visit < 2; visit += 1) {
      const answer = await site.fetch("/");
      const html = await answer.text();
      expect(html).not.toContain(card.hide);
      const [nonce = ""] = /(?<=nonce-)[\w-]+/.exec(answer.headers.get("Content-Security-Policy") ?? "") ?? [];
      pages.push(html.replaceAll(nonce, ""));
    }
    expect(pages[0]).toBe(pages[1]);
  });

  test("are limited in guesses, together with a wrong origin's", async () => {
    const body = () => new URLSearchParams({ token: "guess" });
    const foreign = await site.fetch("/set-up", {
      method: "POST",
      headers: { Origin: "https://evil.example" },
      body: body(),
    });
    expect(foreign.status).toBe(403);
    const statuses = new Set<number>();
    const headers = { Origin: site.origin, "CF-Connecting-IP": "203.0.113.9" };
    // Twice the limit of a minute, since a new minute may begin meanwhile.
    for (let guess = 0; guess < 130 && !statuses.has(429); guess += 1) {
      statuses.add((await site.fetch("/set-up", { method: "POST", headers, body: body() })).status);
    }
    expect([...statuses]).toEqual([422, 429]);
  });
});

test("without an operator token there is neither the page nor the steps", async () => {
  const site = await startSite({ stripe: false, vars: { OPERATOR_TOKEN: "" } });
  try {
    for (const method of ["GET", "POST"]) {
      const headers = { Origin: site.origin, "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await site.fetch("/set-up", { method, headers, ...(method === "POST" && { body: "token=" }) });
      expect(answer.status).toBe(404);
    }
    const shown = await site.fetch("/", { headers: { Cookie: "__Host-operator=9999999999999.abc" } });
    expect(await shown.text()).not.toContain(card.hide);
  } finally {
    await site.close();
  }
});

test("a live key asks for no test card, and says that the charge is real", () => {
  const about = { target: "staging", gate: "none", orderNumber: "" } as const;
  const text = (mode: "live" | "test") => steps.payment["to-do"]({ ...about, mode });
  expect(text("test")).toContain("4242");
  expect(text("live")).not.toContain("4242");
});
