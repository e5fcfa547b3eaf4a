import type { Page, Request } from "playwright-core";
import { loginMessages } from "#app/routes/login/messages.ts";
import { parseEnvelope } from "#workers/monitoring/envelopes/envelope.rules.ts";
import { type Chromium, startChromium, type Trouble } from "#tests/support/clients/chromium.ts";
import { type Received, SentryReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { useRunning } from "#tests/support/use-running.ts";
import { type Browsing, open } from "./steps.ts";

export type Watched = { receiver: SentryReceiver; site: Site; chromium: Chromium; close: () => Promise<void> };

/** A site that reports to a receiver of the test's own, and a Chromium to visit it. */
export const useWatched = (vars: Record<string, string> = {}, stripe = false): Watched =>
  useRunning(() => startWatched(vars, stripe));

async function startWatched(vars: Record<string, string>, stripe: boolean): Promise<Watched> {
  const receiver = new SentryReceiver();
  await receiver.listen();
  const own = { SENTRY_DSN: receiver.dsn, SENTRY_TRACES_SAMPLE_RATE: "0", ...vars };
  const [site, chromium] = await Promise.all([startSite({ vars: own, stripe }), startChromium()]);
  const close = async () => {
    await chromium.close();
    await site.close();
    await receiver.close();
  };
  return { receiver, site, chromium, close };
}

/** The page, once the reporting script has arrived, which is the last that a page loads. */
export async function openWatched(browsing: Browsing, url: string): Promise<Page> {
  const arrived = browsing.page.waitForResponse((response) => isSdkChunk(response.url()));
  const page = await open(browsing, url);
  await (await arrived).finished();
  await page.waitForFunction(() => "__SENTRY__" in window);
  return page;
}

export function isSdkChunk(url: string): boolean {
  return url.includes("/browser-sdk.client");
}

/** Thrown uncaught, as an error in a page would be. Not from a timer: the test's clock would catch it. */
export async function breakPage(page: Page, ...messages: string[]): Promise<void> {
  await page.evaluate((messages) => {
    for (const message of messages) {
      queueMicrotask(() => {
        throw new Error(message);
      });
    }
  }, messages);
}

/** A form, its answer, the next page, and the way back: what a visitor does. */
export async function visitForm(page: Page): Promise<void> {
  await page.getByLabel(loginMessages.en.email).fill("nobody@nowhere");
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await page.getByRole("link", { name: loginMessages.en.signUpLink }).first().click();
  await page.waitForURL("**/signup");
  await page.goBack();
  await page.waitForURL("**/login");
}

/** All but the error that the test made itself, and the form that it sent with wrong data. */
export function unexpected({ troubles }: Browsing): Trouble[] {
  return troubles.filter(
    ({ kind, path, text }) => !(kind === "page-error" && text.includes("A bug")) && path !== "/login.data",
  );
}

export type Sent = { type: string; payload: Record<string, unknown> };
type Exception = { type: string; value: string };

/** What a page posts to the tunnel, in the order in which it does: nothing can come between two entries unnoticed. */
export class Outbox {
  readonly sent: Sent[] = [];

  constructor(page: Page) {
    page.on("request", (request) => this.sent.push(...itemsOfRequest(request)));
  }

  /** The messages of each error that was reported, the outermost of its chain. */
  get messages(): string[] {
    return this.of("event").map(({ exception }) => {
      // Errors are the only events that our pages send.
      const { values } = exception as { values: Exception[] };
      return values.at(-1)?.value ?? "";
    });
  }

  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((item) => item.type === type).map(({ payload }) => payload);
  }
}

function itemsOfRequest(request: Request): Sent[] {
  if (new URL(request.url()).pathname !== "/monitoring") return [];
  return readItems(request.postDataBuffer() ?? Buffer.of());
}

export function itemsOf({ body }: Received): Sent[] {
  return readItems(body);
}

/** Each payload is the JSON that the SDKs write. */
function readItems(envelope: Buffer): Sent[] {
  const framing = parseEnvelope(envelope);
  if (!framing.ok) throw new Error(framing.fault);
  return framing.envelope.items.map(({ type, payloadStart, end }) => ({
    type,
    payload: JSON.parse(envelope.subarray(payloadStart, end).toString()),
  }));
}

/** A page that is left sends how many of its events it dropped: such envelopes come at any time, and don't count. */
export async function nextOf(receiver: SentryReceiver, ...types: string[]): Promise<Sent> {
  for (;;) {
    const found = itemsOf(await receiver.nextEnvelope()).find(({ type }) => types.includes(type));
    if (found !== undefined) return found;
  }
}
