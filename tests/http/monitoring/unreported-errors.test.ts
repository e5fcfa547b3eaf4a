import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { useWatchedSite } from "./reporting-site.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";

const watched = useWatchedSite("mara@example.com");

const profile = new URLSearchParams({ intent: "profile", name: "Mara Lindqvist", timeZone: "UTC" }).toString();

describe("no event is sent for", () => {
  const foreign = { Origin: "https://evil.example" };
  const answers: [string, () => Promise<Response>, number][] = [
    ["a page that isn't there", () => watched.ask("/wp-login.php"), 404],
    ["data that isn't there", () => watched.ask("/wp-login.php.data"), 404],
    ["an order that isn't one's own", () => watched.ask("/settings/orders/ord_secret"), 404],
    ["a parameter that means nothing", () => watched.ask("/payment/stolen"), 404],
    ["an unsupported method", () => watched.ask("/login", { method: "PUT", body: "" }), 405],
    ["a method that a route doesn't take", () => watched.ask("/healthz", { body: "" }), 405],
    ["a route that is only posted to", () => watched.ask("/webhooks/stripe"), 400],
    ["a form from elsewhere", () => watched.ask("/settings/profile", { body: profile, headers: foreign }), 403],
    [
      "a script's form from elsewhere",
      () => watched.ask("/settings/profile.data", { body: profile, headers: foreign }),
      403,
    ],
    ["a form that is refused", () => watched.ask("/settings/profile", { body: "intent=profile&timeZone=Mars" }), 422],
    ["a script's form that is refused", () => watched.ask("/settings/profile.data", { body: "intent=profile" }), 422],
    [
      "a form that is none",
      () => watched.ask("/settings/profile", { body: "{}", headers: { "Content-Type": "text/json" } }),
      400,
    ],
    ["an event that isn't signed", () => watched.ask("/webhooks/stripe", { body: "{}" }), 400],
    ["a redirect of a loader", () => watched.ask("/login"), 303],
    ["a redirect of a loader that a script asks for", () => watched.ask("/login.data"), 202],
    ["a redirect of middleware", () => watched.site.fetch("/settings"), 303],
    ["a redirect of an action", () => watched.ask("/settings/profile", { body: profile }), 303],
  ];

  test.each(answers)("%s", async (_what, run, status) => {
    expect((await run()).status).toBe(status);
    await watched.expectNoOtherEvent();
  });

  test("a wrong code", async () => {
    const visitor = await watched.site.visitor().open("/signup");
    await askForCode(visitor, "mistyped@example.com");
    await typeCode(visitor, "00000000");
    expect(visitor.status).toBe(422);
    await watched.expectNoOtherEvent();
  });

  const forms = ["/settings/profile", "/settings/profile.data", "/webhooks/stripe"];

  test.each(forms)("a visitor who aborts a form for %s", async (path) => {
    const { site, customer } = watched;
    const { port, host } = new URL(site.origin);
    const cookie = `Cookie: __Host-session=${customer.cookies.get("__Host-session")}`;
    const type = "Content-Type: application/x-www-form-urlencoded";
    const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${site.origin}`, cookie, type];
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`${head.join("\r\n")}\r\nContent-Length: 99\r\n\r\nintent=prof`);
    // Answered after the form's headers have come: from here on the site waits for the rest.
    await site.fetch("/healthz");
    await pause(200);
    socket.end();
    await once(socket.resume(), "close");
    await watched.expectNoOtherEvent();
  });
});
