/** What a card's last month means for the next charges. */
import { cardNoticeMs } from "./notices.rules.ts";

export type CardStanding = "valid" | "expires-soon" | "expired";

/** `expires` is its last month, as `YYYY-MM`; null: it isn't known, or it is no card. */
export function judgeCard(expires: string | null, now: number): CardStanding {
  const [year = Number.NaN, month = Number.NaN] = (expires ?? "").split("-").map(Number);
  const endsAt = Date.UTC(year, month);
  if (Number.isNaN(endsAt) || now < endsAt - cardNoticeMs) return "valid";
  return now < endsAt ? "expires-soon" : "expired";
}
