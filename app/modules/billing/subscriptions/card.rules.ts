/** What a card's expiry means for the next charges. Called from the cron job and the plan's page. */
import { cardReminderMs } from "./reminders.rules.ts";

type CardExpiry = "valid" | "expires-soon" | "expired";

/** `expires` is the card's last month as `YYYY-MM`, or null if that is unknown or the payment method isn't a card. */
export function cardExpiryOf(expires: string | null, now: number): CardExpiry {
  const endsAt = endOf(expires);
  if (endsAt === null || now < endsAt - cardReminderMs) return "valid";
  return now < endsAt ? "expires-soon" : "expired";
}

/**
 * Whether the card will have expired at `at`. True no earlier than `cardReminderMs` before the expiry, since banks replace most cards in
 * time.
 */
export function expiresBefore(expires: string | null, at: number, now: number): boolean {
  const endsAt = endOf(expires);
  return endsAt !== null && endsAt <= at && cardExpiryOf(expires, now) !== "valid";
}

/** The start of the following month, in UTC. */
function endOf(expires: string | null): number | null {
  const [year = Number.NaN, month = Number.NaN] = (expires ?? "").split("-").map(Number);
  const endsAt = Date.UTC(year, month);
  return Number.isNaN(endsAt) ? null : endsAt;
}
