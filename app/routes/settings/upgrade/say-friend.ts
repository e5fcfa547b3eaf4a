import { formatPrice } from "#app/core/money/money.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { quoteDiscount } from "#app/modules/referrals/discount.rules.ts";
import type { Buyer } from "#app/workflows/find-buyer.server.ts";
import { openChoiceMessages } from "./open-choice.messages.ts";

/** What a friend's invitation brings, shown above the plans. A plan's review says how much it brings there. Null if it brings nothing. */
export function sayFriend({ referral, currency }: ProductConfig, { friend }: Buyer, locale: string, now: number) {
  const promised = referral.friendDiscountMinor;
  const amountMinor = friend === null ? 0 : quoteDiscount(friend, promised, promised, now);
  return amountMinor > 0 ? openChoiceMessages.en.friend(formatPrice({ amountMinor, currency }, locale)) : null;
}
