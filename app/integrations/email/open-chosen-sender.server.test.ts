import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { postmarkProtocol } from "#tests/support/email/postmark-protocol.ts";
import { readSender } from "#tests/support/email/read-sender.ts";
import { relayProtocol } from "#tests/support/email/relay-protocol.ts";
import { resendProtocol } from "#tests/support/email/resend-protocol.ts";
import { sesProtocol, signatureProblem } from "#tests/support/email/ses-protocol.ts";
import { startStandIn } from "#tests/support/email/start-stand-in.ts";
import { openChosenSender } from "./open-chosen-sender.server.ts";
import { openEmailTransport } from "./open-email-transport.server.ts";

/** What the services' own clients send for this email. */
const recorded = JSON.parse(readFileSync("tests/vectors/email-requests.json", "utf8"));
const { from: _, replyTo, ...email } = recorded.email;
const heron = { name: "Heron", address: "hello@heron.example" };

const noVariables = {
  EMAIL: { send: () => Promise.reject(new Error("The binding is not used")) },
  EMAIL_SERVICE: "",
  EMAIL_API_BASE: "",
  RESEND_API_KEY: "",
  POSTMARK_SERVER_TOKEN: "",
  SES_REGION: "",
  SES_ACCESS_KEY_ID: "",
  SES_SECRET_ACCESS_KEY: "",
  EMAIL_RELAY_URL: "",
  EMAIL_RELAY_TOKEN: "",
};

/** A transport set up by these variables, with what it logged. */
function transportWith(variables: Record<string, string>, sender = heron) {
  const lines: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((line) => void lines.push(String(line)));
  return { lines, ...openEmailTransport(openChosenSender({ ...noVariables, ...variables }), sender, replyTo) };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each([
  { name: "resend", protocol: resendProtocol, resetMs: null },
  { name: "postmark", protocol: postmarkProtocol, resetMs: null },
  { name: "ses", protocol: sesProtocol, resetMs: null },
  { name: "http-relay", protocol: relayProtocol, resetMs: 3_600_000 },
])("$name", ({ name, protocol, resetMs }) => {
  let service: Awaited<ReturnType<typeof startStandIn>>;
  beforeAll(async () => {
    service = await startStandIn(protocol);
  });
  afterEach(() => {
    service.be("accepting");
    service.received.length = 0;
    service.requests.length = 0;
  });
  afterAll(() => service.close());

  test("takes an email with our sender, the reply address and both texts, and gives it an id", async () => {
    const { send, lines } = transportWith(service.variables);
    expect(await send(email)).toEqual({ ok: true, value: { serviceId: expect.stringMatching(/^0{8}-/) } });
    const { id: _, ...content } = recorded.email;
    expect(service.received).toEqual([content]);
    expect(lines).toEqual([]);
  });

  test("passes on further headers", async () => {
    const headers = {
      "List-Unsubscribe": "<https://heron.example/stop?a=1>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    };
    await transportWith(service.variables).send({ ...email, headers });
    const pairs = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));
    const body = JSON.parse(service.requests[0]?.body ?? "{}");
    expect([body.headers ?? body.Headers ?? body.Content.Simple.Headers]).toEqual([
      name === "postmark" || name === "ses" ? pairs : headers,
    ]);
  });

  test("takes letters beyond ASCII in every part", async () => {
    const own = {
      ...email,
      id: "mail_2",
      subject: "Grüße – 你好",
      text: "café €1",
      html: "<p>naïve 🙂</p>",
      to: "mara@bücher.example",
    };
    await transportWith(service.variables).send(own);
    const { id: _, ...content } = own;
    expect(service.received).toMatchObject([content]);
  });

  test.each([
    "Müller, Söhne & Co.",
    'Acme, Inc. "The <Heron>" \\ a@b; (c): [d]',
    "O'Neill + Daughters",
    "Лавка у дома, где всегда тепло: всё для дороги, сада, дома и друзей",
    "鷺🪽".repeat(30),
    "",
  ])("takes the sender's name %j", async (name) => {
    const sender = { name, address: "hello@heron.example" };
    const { send, lines } = transportWith(service.variables, sender);
    expect(await send({ ...email, id: crypto.randomUUID() })).toMatchObject({ ok: true });
    expect(lines).toEqual([]);
    expect(readSender(service.received[0]?.from ?? "")).toEqual(sender);
  });

  test.each([
    ["address-refused", { reason: "address-refused" }],
    ["rate-limited", { reason: "email-down" }],
    ["quota-exhausted", { reason: "quota-exhausted", retryAfterMs: resetMs }],
    ["failing", { reason: "email-down" }],
  ] as const)("that is %s is reported as %j, and logged without the recipient", async (mood, refusal) => {
    service.be(mood);
    const { send, lines } = transportWith(service.variables);
    expect(await send(email)).toEqual({ ok: false, refusal });
    expect(lines).toEqual([expect.stringMatching(/^act send-mail failed: .*answered .*\d{3}/)]);
    expect(lines.join()).not.toContain(email.to);
  });

  test("that doesn't answer within ten seconds is down, and its request is ended", async () => {
    service.be("silent");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { send, lines } = transportWith(service.variables);
    const sending = send(email);
    await until(() => service.requests.length === 1);
    vi.advanceTimersByTime(9_999);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await sending).toEqual({ ok: false, refusal: { reason: "email-down" } });
    expect(lines).toEqual(["act send-mail failed: The email service did not answer"]);
    await until(() => service.unanswered() === 0);
  });

  test("with credentials that it doesn't know is down", async () => {
    const wrong = Object.entries(service.variables).map(([key, value]) => [
      key,
      /KEY|TOKEN/.test(key) ? "wrong" : value,
    ]);
    const { send, lines } = transportWith(Object.fromEntries(wrong));
    expect(await send(email)).toEqual({ ok: false, refusal: { reason: "email-down" } });
    expect(lines).toEqual([expect.stringMatching(/answered .*40[13]/)]);
    expect(service.received).toEqual([]);
  });

  test("without a server that answers is down", async () => {
    const closed = await startStandIn(protocol);
    await closed.close();
    const { send, lines } = transportWith(closed.variables);
    expect(await send(email)).toEqual({ ok: false, refusal: { reason: "email-down" } });
    expect(lines).toHaveLength(1);
  });
});

test("a relay without ids of its own is known by the outbox's", async () => {
  const service = await startStandIn({ ...relayProtocol, accept: () => ({ status: 204, body: "" }) });
  expect(await transportWith(service.variables).send(email)).toEqual({ ok: true, value: { serviceId: email.id } });
  await service.close();
});

describe.each([
  { name: "resend", protocol: resendProtocol },
  { name: "http-relay", protocol: relayProtocol },
])("$name", ({ protocol }) => {
  test("recognises a repetition by the outbox's id, and sends the email once", async () => {
    const service = await startStandIn(protocol);
    const { send } = transportWith(service.variables);
    const first = await send(email);
    expect(await send(email)).toEqual(first);
    expect(service.received).toHaveLength(1);
    await service.close();
  });
});

describe.each([
  { name: "resend", protocol: resendProtocol, signed: [] },
  { name: "postmark", protocol: postmarkProtocol, signed: [] },
  // The signature contains the time. The stand-in checks it.
  { name: "ses", protocol: sesProtocol, signed: ["content-type"] },
])("$name", ({ name, protocol, signed }) => {
  test("gets the request that its own client would send", async () => {
    const service = await startStandIn(protocol);
    await transportWith(service.variables).send(email);
    const [request] = service.requests;
    const { method, path, headers, body } = recorded.requests[name];
    expect(request).toMatchObject({ method, path });
    expect(JSON.parse(request?.body ?? "")).toEqual(body);
    const compared = Object.entries(headers).filter(([header]) => signed.length === 0 || signed.includes(header));
    expect(request?.headers).toMatchObject(Object.fromEntries(compared));
    await service.close();
  });
});

describe("the check of SES's signature", () => {
  const { method, path, headers, sent } = recorded.requests.ses;
  const signedAt = Date.parse(recorded.requests.ses.signedAt);

  test("accepts what Amazon's own client signed", () => {
    expect(signatureProblem({ method, path, headers, body: sent }, signedAt)).toBe(null);
  });

  test.each([
    ["another body", { body: `${sent} ` }, 0],
    ["another path", { path: "/v2/email/identities" }, 0],
    ["another host", { headers: { ...headers, host: "evil.example" } }, 0],
    ["a signature of six minutes ago", {}, 360_000],
  ])("refuses %s", (_, changed, laterMs) => {
    expect(signatureProblem({ method, path, headers, body: sent, ...changed }, signedAt + laterMs)).not.toBe(null);
  });
});

test("an email that was accepted before with another text counts as sent", async () => {
  const service = await startStandIn({
    ...resendProtocol,
    accept: () => ({
      status: 409,
      body: { statusCode: 409, name: "invalid_idempotent_request", message: "Same key, different request payload." },
    }),
  });
  expect(await transportWith(service.variables).send(email)).toEqual({ ok: true, value: { serviceId: null } });
  await service.close();
});

describe.each([resendProtocol, postmarkProtocol, sesProtocol, relayProtocol])(
  "200 that isn't the service's",
  (protocol) => {
    test.each<[what: string, body: string | object]>([
      ["a page", "<!doctype html><title>Welcome</title>"],
      // A relay may answer with any text.
      ...(protocol === relayProtocol
        ? []
        : ([
            ["text", "OK"],
            ["JSON without an id", {}],
            ["nothing", ""],
          ] as [string, string | object][])),
    ])("with %s is no acceptance", async (_, body) => {
      const service = await startStandIn({ ...protocol, accept: () => ({ status: 200, body }) });
      const { send } = transportWith(service.variables);
      expect(await send(email)).toEqual({ ok: false, refusal: { reason: "email-down" } });
      await service.close();
    });
  },
);

test("a redirect isn't followed: neither the key nor the email goes to another address", async () => {
  const elsewhere = await startStandIn(resendProtocol);
  const service = await startStandIn({
    ...resendProtocol,
    accept: () => ({ status: 307, headers: { Location: `${elsewhere.origin}/emails` }, body: {} }),
  });
  expect(await transportWith(service.variables).send(email)).toEqual({ ok: false, refusal: { reason: "email-down" } });
  expect(elsewhere.requests).toEqual([]);
  await Promise.all([service.close(), elsewhere.close()]);
});

/** Waits in real time, while the test controls the timers. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
