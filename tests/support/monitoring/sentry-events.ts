import type { SentryReceiver } from "./sentry-receiver.ts";

/** The fields of an event that tests read, and all of it as text. */
export type SentryEvent = {
  text: string;
  release?: string;
  tags?: Record<string, string>;
  exception?: { values: { type: string; value: string }[] };
};

/**
 * The next event that arrives. In addition to events there are traces, logs, and counts of what a page dropped when it
 * was left.
 */
export async function nextSentryEvent(receiver: SentryReceiver): Promise<SentryEvent> {
  for (;;) {
    const { text } = await receiver.nextEnvelope();
    const [, item = "{}", payload = "{}"] = text.split("\n");
    // The SDKs send each event in a separate envelope.
    if (JSON.parse(item).type === "event") return { ...JSON.parse(payload), text };
  }
}
