import type { ReferralId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { friendDiscountEmail, refundEmail } from "#app/modules/billing/sync/refund-emails.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { findOrderForOperator, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import type { Decided } from "#app/modules/referrals/commands/decide-referral.server.ts";
import { rewardEmail } from "#app/modules/referrals/commands/approve-reward.server.ts";
import type { EmailTime, PreviewedPage } from "./decisions.rules.ts";
import { findDiscountOf, findReferralById } from "./referrals.queries.server.ts";

type Deps = Base & Site;
export type DraftPreview = {
  emails: { to: string | null; when: EmailTime; content: EmailContent }[];
  pages: PreviewedPage[];
};

/** For an accepted withdrawal: the refund in Stripe's dashboard ends the plan. */
export function previewRefund(
  app: Deps,
  account: Account,
  order: Order,
  { amountMinor, withdrawnAt }: { amountMinor: number; withdrawnAt: number | null },
): DraftPreview {
  const content = refundEmail(app, account, order, { amountMinor, planEnded: true, withdrawnAt });
  return { emails: [{ to: account.email, when: "with-the-refund", content }], pages: [] };
}

type Contested = { to: string; content: EmailContent; declared: string };

/** `contested` is null if the account was erased, so that there is neither a recipient nor a page. */
export function previewContestedWithdrawal(contested: Contested | null, reason: string): DraftPreview {
  if (contested === null) return { emails: [], pages: [] };
  const { to, content, declared } = contested;
  const isTied = content.template === "withdrawal-contested" && content.order !== null;
  return {
    emails: [{ to, when: "now", content }],
    pages: isTied ? [{ page: "order", shows: "withdrawal-contested", declared, reason }] : [],
  };
}

/** `answered` is null if the account was erased. */
export function previewAnsweredCancellation(answered: { to: string; content: EmailContent } | null): DraftPreview {
  return { emails: answered ? [{ ...answered, when: "now" }] : [], pages: [] };
}

export async function previewReferralDecision(
  app: Deps,
  { id, verdict, decided }: { id: ReferralId; verdict: "approve" | "void"; decided: Decided },
): Promise<DraftPreview> {
  const [referral] = await findReferralById(app.db, id);
  if (!referral) return { emails: [], pages: [] };
  if (verdict === "approve") {
    const later = decided.of === "discount" ? await refundOf(app, referral) : await rewardOf(app, referral);
    return { emails: later ? [later] : [], pages: [] };
  }
  const isNotCounted = referral.state === "void" && referral.voidWhy === "review";
  return {
    emails: decided.email ? [{ ...decided.email, when: "now" }] : [],
    pages: [
      ...(decided.of === "discount" || decided.email ? [{ page: "order", shows: "discount-refused" } as const] : []),
      ...(isNotCounted ? [{ page: "referrals", shows: "not-counted" } as const] : []),
    ],
  };
}

type Parties = Awaited<ReturnType<typeof findReferralById>>[number];

async function refundOf(app: Deps, { friendId }: Parties): Promise<DraftPreview["emails"][number] | null> {
  const { db } = app;
  const {
    friend: [friend],
    discount: [discount],
  } = await batchNamed(db, { friend: findAccount(db, friendId), discount: findDiscountOf(db, friendId) });
  const [found] = discount ? await findOrderForOperator(db, { id: discount.orderId }) : [];
  if (!friend || !discount || !found || discount.amountMinor === 0) return null;
  const content = friendDiscountEmail(app, friend, readOrder(found.order), discount.amountMinor);
  return { to: friend.email, when: "with-the-refund", content };
}

/** Null for a referrer who switched these emails off. */
async function rewardOf(app: Deps, { referrerId }: Parties): Promise<DraftPreview["emails"][number] | null> {
  const [row] = await findAccount(app.db, referrerId);
  if (!row) return null;
  const { state, email, locale, emailsOff } = row;
  if (state === "erased" || emailsOff.includes("rewards")) return null;
  return { to: email, when: "with-the-reward", content: rewardEmail(app, locale, { template: "reward-earned" }, null) };
}
