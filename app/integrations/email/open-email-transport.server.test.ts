import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openEmailTransport } from "./open-email-transport.server.ts";
import { openCloudflare } from "./senders/open-cloudflare.server.ts";

const email = { id: "mail_1", to: "mara@example.org", subject: "Subject", text: "Text", html: "<p>Text</p>" };
const heron = { name: "Heron", address: "hello@heron.example" };
const emailDown = { ok: false, refusal: { reason: "email-down" } };

let lines: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  vi.spyOn(console, "warn").mockImplementation((line) => void lines.push(String(line)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The part of the platform's binding that is used. */
function transport(send: (message: unknown) => Promise<EmailSendResult>, from = heron) {
  const service = openCloudflare({ send } as SendEmail);
  return openEmailTransport(service, from, "help@heron.example");
}

describe("the platform's email service", () => {
  test("receives the email with our sender and the reply address", async () => {
    const sent: unknown[] = [];
    const service = transport(async (message) => {
      sent.push(message);
      return { messageId: "1" };
    });
    expect(await service.send(email)).toEqual({ ok: true, value: { serviceId: "1" } });
    const { id: _, ...content } = email;
    expect(sent).toEqual([
      { from: { name: "Heron", email: "hello@heron.example" }, replyTo: "help@heron.example", ...content },
    ]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines).toEqual([]);
  });

  test("receives further headers", async () => {
    const sent: unknown[] = [];
    const service = transport(async (message) => {
      sent.push(message);
      return { messageId: "1" };
    });
    const headers = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
    await service.send({ ...email, headers });
    expect(sent).toMatchObject([{ headers }]);
  });

  test.each([
    [
      { name: "Müller, Söhne & Co.", address: "a@b.example" },
      { name: "Müller, Söhne & Co.", email: "a@b.example" },
    ],
    [{ name: "", address: "a@b.example" }, "a@b.example"],
  ])("receives the name of %j as it is, apart from the address", async (sender, from) => {
    const sent: unknown[] = [];
    await transport(async (message) => {
      sent.push(message);
      return { messageId: "1" };
    }, sender).send(email);
    expect(sent).toMatchObject([{ from }]);
  });

  test.each([
    ["E_RECIPIENT_SUPPRESSED", { reason: "address-refused" }],
    ["E_DAILY_LIMIT_EXCEEDED", { reason: "quota-exhausted", retryAfterMs: null }],
    ["E_RATE_LIMIT_EXCEEDED", { reason: "email-down" }],
    ["E_SENDER_NOT_VERIFIED", { reason: "email-down" }],
  ])("that refuses with %s is reported as %j, and logged without the recipient", async (code, refusal) => {
    const inMessage = transport(() => Promise.reject(new Error(`${code}: mara@example.org`)));
    expect(await inMessage.send(email)).toEqual({ ok: false, refusal });
    const asCode = transport(() => Promise.reject(Object.assign(new Error("No mail for mara@example.org"), { code })));
    expect(await asCode.send(email)).toEqual({ ok: false, refusal });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines).toEqual([`act send-mail failed: ${code}: [address]`, "act send-mail failed: No mail for [address]"]);
  });

  test("counts as down after ten seconds without an answer, and a later failure is ignored", async () => {
    let fail: (error: Error) => void = () => undefined;
    const service = transport(() => new Promise((_, reject) => (fail = reject)));
    const sending = service.send(email);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sending).toEqual(emailDown);
    expect(lines).toEqual(["act send-mail failed: The email service did not answer"]);
    fail(new Error("too late"));
    await vi.runAllTimersAsync();
  });
});
