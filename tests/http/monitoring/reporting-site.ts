import { beforeEach, expect } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { whileBroken, without } from "#tests/support/database/damage.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import { SentryReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useRunning } from "#tests/support/use-running.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

const release = "release-of-the-test";

type RequestInput = { method?: string; body?: string; headers?: Record<string, string> };

/**
 * A site whose reports arrive here, every trace among them, with a customer and an error that can be triggered at any
 * time.
 */
export function useWatchedSite(customerAddress: string, vars: Record<string, string> = {}) {
  const watched = useRunning(() => startWatchedSite(customerAddress, vars));
  // What a failed test left unread isn't read by the next one.
  beforeEach(() => watched.readAll());
  return watched;
}

async function startWatchedSite(customerAddress: string, vars: Record<string, string>) {
  const receiver = new SentryReceiver();
  await receiver.listen();
  const reporting = { SENTRY_DSN: receiver.dsn, SENTRY_RELEASE: release, SENTRY_TRACES_SAMPLE_RATE: "1" };
  const site = await startSite({ vars: { ...reporting, ...vars } });
  const customer = await signUp(site, customerAddress, "");

  /** Causes an error, whose event has to be the next that arrives: nothing came before it. */
  async function expectNoOtherEvent(): Promise<void> {
    await whileBroken(site, without("passkeys"), () => customer.open("/settings/security"));
    const { tags } = await nextSentryEvent(receiver);
    expect(tags).toEqual({ route: "/settings/security", reference_id: referenceIn(customer.text()) });
  }

  return {
    site,
    receiver,
    customer,
    /** A request of the customer's browser, made by hand. */
    ask: (path: string, request: RequestInput = {}) => {
      const method = request.body === undefined ? "GET" : "POST";
      const form = { "Content-Type": "application/x-www-form-urlencoded" };
      const Cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { Cookie, Origin: site.origin, ...(method === "POST" && form), ...request.headers };
      return site.fetch(path, { method, ...request, headers });
    },
    expectOneEvent: async (route: string, reference: string) => {
      const event = await nextSentryEvent(receiver);
      expect(event).toMatchObject({ release, tags: { route, reference_id: reference } });
      await expectNoOtherEvent();
      const isItsLine = (line: unknown) => JSON.stringify(line).includes(`bug ${reference} at ${route}`);
      await expect.poll(() => site.logs().filter(isItsLine).length).toBe(1);
    },
    expectNoOtherEvent,
    readAll: async () => {
      while (receiver.unread > 0) await receiver.nextEnvelope();
    },
    close: async () => {
      await site.close();
      await receiver.close();
    },
  };
}

/** The page that a visitor sees after an error. */
export function referenceIn(text: string): string {
  const reference = fillGaps(rootMessages.en.broken.reference(gap), /\w+/);
  return reference.exec(text)?.[1] ?? `no reference in: ${text.slice(0, 500)}`;
}
