import { href } from "react-router";
import type { Account, Viewer } from "#app/modules/accounts/rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { type nextCharge, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, formatMoment } from "#app/core/time/time.ts";
import { duePayment, type DuePayment } from "../pay-due.tsx";
import { sayWhenLocked } from "../say-when-locked.ts";
import { sayFirstPayment } from "../say-first-payment.ts";
import { planMessages, dueMessages, planAheadMessages, planNoticesMessages } from "../plan/messages.ts";
import { isContinuedByTeam, sayExpiring, sayPauseCause } from "../plan/texts/say-notices.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import { againOf } from "../plan/texts/plan-ahead.ts";
import { settingsMessages } from "../messages.ts";
import type { usageFacts } from "./usage-facts.ts";
import type { Count } from "#app/modules/billing/usage/rules.ts";
import { countedOf, usagePathOf } from "#app/features.ts";
import { attentionMessages } from "./attention.messages.ts";
import { type AttentionKind, isOver } from "./attention.rules.ts";

/** One thing to do, in messages chosen on the server. */
export type AttentionItem = {
  kind: AttentionKind;
  title: string;
  texts: string[];
  /** Where it is done; null for what is paid right here. */
  link: { text: string; to: string } | null;
  pay?: { payment: DuePayment; planPath: string };
};

type AttentionDetails = {
  product: ProductConfig;
  account: Account;
  due: Viewer["due"];
  /** The unpaid renewal that `due` is about. */
  renewal: Order | null;
  running: Subscription | null;
  /** The last plan, if none is running, and what is said about its end. */
  ended: Subscription | null;
  endedText: string | null;
  gate: Gate;
  open: Order | null;
  next: ReturnType<typeof nextCharge>;
  /** `limit` is null without a plan. */
  counts: readonly (Count & { limit: number | null })[];
  planName: string;
  full: ReturnType<typeof usageFacts>["full"];
  /** What happens to data beyond a limit. Null if it stays, or if the day isn't known. */
  data: string | null;
  change: { toEmail: string; changedAt: number; revertExpiresAt: number } | null;
  now: number;
};

/** Null if the details that it would be about are missing. */
export function sayAttention(kind: AttentionKind, details: AttentionDetails): AttentionItem | null {
  const { en: messages } = attentionMessages;
  const { product, account, due, renewal, running, ended, endedText, open, next, counts, full, data, change, now } =
    details;
  switch (kind) {
    case "payment-failed":
      return due && sayDue(product, account, due, { renewal, running, now });
    case "plan-paused": {
      if (!running) return null;
      const name = planName(product, running.planId);
      const text = isContinuedByTeam(running) ? planMessages.en.seePlan : messages.continuePlan(name);
      const link = { text, to: segmentPath(product, "plan") };
      return {
        kind,
        title: planNoticesMessages.en.paused.title(name),
        texts: [sayPauseCause(product, running)],
        link,
      };
    }
    case "plan-lost": {
      if (!ended || endedText === null) return null;
      const again = againOf({ product, gate: details.gate }, ended);
      const link = again ?? { text: planMessages.en.free.upgrade, to: href("/settings/upgrade") };
      return { kind, title: planAheadMessages.en.lost.title, texts: [endedText], link };
    }
    case "first-payment": {
      if (!open) return null;
      const { title, text, link, to } = sayFirstPayment(open, planName(product, open.planId), account);
      return { kind, title, texts: [text], link: { text: link, to } };
    }
    case "card-expiring": {
      const expiring = running && sayExpiring(account, { running, next, now });
      if (!expiring) return null;
      const link = { text: planMessages.en.updateCard, to: segmentPath(product, "plan") };
      return { kind, title: expiring.title, texts: [expiring.text], link };
    }
    case "counted-over": {
      const over = counts.find(isOver);
      const counted = over && countedOf(over.name);
      if (!counted) return null;
      const { used, limit, reducedAt } = over;
      const { overTitle, over: say, choose } = counted.messages;
      const text = say(used, details.planName, limit ?? 0, reducedAt === null ? null : formatDay(reducedAt, account));
      return { kind, title: overTitle, texts: [text], link: { text: choose, to: segmentPath(product, counted.path) } };
    }
    case "counted-idle": {
      const idle = counts.find(({ used }) => used > 0);
      const counted = idle && countedOf(idle.name);
      if (!counted) return null;
      const link = { text: messages.choosePlan, to: href("/settings/upgrade") };
      return { kind, title: counted.messages.idleTitle, texts: [counted.messages.idle(idle.used, product.name)], link };
    }
    case "limit-reached": {
      const texts = sayLimits(full, details.planName, data);
      const title = full.some(({ excess }) => excess) ? messages.overLimitTitle : messages.fullTitle;
      return { kind, title, texts, link: { text: messages.seeUsage, to: usagePathOf(product) } };
    }
    case "address-changed": {
      if (!change) return null;
      const on = formatDay(change.changedAt, account);
      const text = messages.address(change.toEmail, on, formatMoment(change.revertExpiresAt, account));
      const link = { text: messages.addressLink, to: href("/settings/security") };
      return { kind, title: messages.addressTitle, texts: [text], link };
    }
  }
}

function sayDue(
  product: ProductConfig,
  account: Account,
  due: NonNullable<Viewer["due"]>,
  { renewal, running, now }: Pick<AttentionDetails, "renewal" | "running" | "now">,
): AttentionItem {
  const { title, link } = settingsMessages.en.due;
  const { en: messages } = dueMessages;
  const amount = renewal && formatMoney(renewal, account.locale);
  const wantsHolder = renewal?.state === "needs-action";
  const failed = amount && (wantsHolder ? messages.titleConfirm(amount) : messages.title(amount));
  const planPath = segmentPath(product, "plan");
  const item = {
    kind: "payment-failed",
    title: due.isLocked ? title(true) : (failed ?? title(false)),
    texts: [...(wantsHolder ? [messages.confirm] : []), sayWhenLocked(product, account, due)],
  } as const;
  if (renewal && !wantsHolder) {
    const payment = duePayment(renewal, running, { locale: account.locale, now });
    return { ...item, texts: [...item.texts], link: null, pay: { payment, planPath } };
  }
  const way = wantsHolder ? { text: messages.toConfirm, to: paymentPath(renewal) } : { text: link, to: planPath };
  return { ...item, texts: [...item.texts], link: way };
}

/** What is stored beyond the plan isn't kept for ever: the product's own sentence says what happens to it. */
function sayLimits(full: AttentionDetails["full"], plan: string, data: string | null): string[] {
  const over = full.flatMap(({ excess }) => (excess ? [planAheadMessages.en.excess(plan, excess)] : []));
  if (over.length > 0) return data ? [...over, data] : over;
  return full.map(({ label, limit }) => attentionMessages.en.full(label, plan, limit));
}
