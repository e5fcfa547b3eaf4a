import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openEmailTransport } from "./email-transport.server.ts";

const email = { to: "mara@example.org", subject: "Subject", text: "Text", html: "<p>Text</p>" };
const emailDown = { ok: false, refusal: { reason: "mail-down" } };

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
function transport(send: (message: unknown) => Promise<EmailSendResult>) {
  return openEmailTransport({ send } as SendEmail, "Heron <hello@heron.example>", "help@heron.example");
}

describe("the email service", () => {
  test("receives the email with our sender and the reply address", async () => {
    const sent: unknown[] = [];
    const service = transport(async (message) => {
      sent.push(message);
      return { messageId: "1" };
    });
    expect(await service.send(email)).toEqual({ ok: true, value: null });
    expect(sent).toEqual([{ from: "Heron <hello@heron.example>", replyTo: "help@heron.example", ...email }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines).toEqual([]);
  });

  test("counts as down after a refusal, which is logged without the recipient", async () => {
    const service = transport(() => Promise.reject(new Error("E_RECIPIENT_SUPPRESSED: mara@example.org")));
    expect(await service.send(email)).toEqual(emailDown);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines).toEqual(["act send-mail failed: E_RECIPIENT_SUPPRESSED: [address]"]);
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
