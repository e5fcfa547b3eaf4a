import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import type { Interval } from "#app/core/time/interval.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { unconfirmedMessages } from "../messages.ts";
import { openChoiceMessages } from "./messages.ts";

type Choice = { planId: string | null; interval: Interval | null };

/**
 * A choice that awaits payment. Another one replaces it, unless the bank is processing it. Null if the page reviews this same choice, whose
 * payment continues.
 */
export function sayOpen(product: ProductConfig, order: Order, chosen: Choice) {
  const { en: messages } = openChoiceMessages;
  const { en: unconfirmed } = unconfirmedMessages;
  const name = planName(product, order.planId);
  const { kind, state, isUnconfirmed } = order;
  const facts = { blocksChoice: isUnconfirmed || state === "processing", to: paymentPath(order) };
  if (isUnconfirmed) {
    const { text, link } = unconfirmed;
    return { ...facts, tone: "info", title: unconfirmed.titleFor(name), text, link } as const;
  }
  const { link } = messages;
  if (state === "processing") {
    return { ...facts, tone: "info", title: messages.processing(name), text: messages.processingText, link } as const;
  }
  if (order.planId === chosen.planId && order.interval === chosen.interval) return null;
  const title = kind === "change" ? messages.change(name) : messages.start(name);
  return { ...facts, tone: "attention", title, text: messages.text, link } as const;
}
