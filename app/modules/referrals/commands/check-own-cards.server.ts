import type { AccountId } from "#app/core/id.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { reverseForCard, type Deps } from "./approve-reward.server.ts";
import { cardsOf } from "./advance-referral.server.ts";
import { readCards } from "../eligibility.rules.ts";
import { listCounted } from "../rewards.queries.server.ts";

/**
 * When a referrer pays, checks whether one of their friends paid with the same card before. A user who referred themselves and paid with
 * the second account first is only found now, when the credit would be used.
 */
export async function checkOwnCards(app: Deps, accountId: AccountId): Promise<Result<null, ProviderFailure>> {
  const counted = await listCounted(app.db, accountId);
  if (counted.length === 0) return done(null);
  const own = await cardsOf(app, accountId);
  if (!own.ok) return own;
  const isOwn = (cards: string | null) => readCards(cards).some((card) => own.value.includes(card));
  for (const reward of counted.filter(({ cards }) => isOwn(cards))) await reverseForCard(app, reward);
  return done(null);
}
