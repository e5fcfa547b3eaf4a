/** What a card's last month means for the next charges. */
import { cardNoticeMs } from "./notices.rules.ts";

export type CardStanding = "valid" | "expires-soon" | "expired";

/** `expires` is its last month, as `YYYY-MM`; null: it isn't known, or it is no card. */
export function judgeCard(expires: string | null, now: number): CardStanding {
  const endsAt = endOf(expires);
  if (endsAt === null || now < endsAt - cardNoticeMs) return "valid";
  return now < endsAt ? "expires-soon" : "expired";
}

/** Has it expired by a charge at `at`? Asked no earlier than `cardNoticeMs` before its end: banks replace most cards by themselves. */
export function expiresBefore(expires: string | null, at: number, now: number): boolean {
  const endsAt = endOf(expires);
  return endsAt !== null && endsAt <= at && judgeCard(expires, now) !== "valid";
}

/** The first instant after its last month, in UTC. */
function endOf(expires: string | null): number | null {
  const [year = Number.NaN, month = Number.NaN] = (expires ?? "").split("-").map(Number);
  const endsAt = Date.UTC(year, month);
  return Number.isNaN(endsAt) ? null : endsAt;
}
