/** What the customer is shown or sent after a decision, in the wording of the emails and pages themselves. */
import type {
  EmailTime,
  Previews,
  PreviewedPage,
  DecisionPreview,
  PreviewedEmail,
} from "#app/modules/operators/decisions.rules.ts";
import { orderWithdrawalMessages, orderDiscountMessages } from "#app/routes/settings/orders/order/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { featureTools } from "../features.ts";
import { columnsMax } from "./table.ts";
import { wrap } from "./wrap.ts";

const times: Record<EmailTime, string> = {
  now: "",
  "when-invited": ", when its turn comes",
  "with-the-refund": ", when the refund is made",
  "with-the-reward": ", when the reward is credited",
};

export function printDecisionPreview({ emails, pages }: DecisionPreview): string {
  if (emails.length + pages.length === 0) return "The customer isn't emailed, and no page shows it.";
  return [
    "What the customer sees:",
    ...emails.map(printEmail),
    ...(emails.length === 0 ? ["No email."] : []),
    ...pages.map((page) => wrap(printPage(page), { columns: columnsMax })),
  ].join("\n\n");
}

function printEmail({ to, when, subject, text }: PreviewedEmail): string {
  const lines = text.trimEnd().split("\n");
  const body = lines.map((line) => (line === "" ? "" : `  ${wrap(line, { columns: columnsMax, indent: 2 })}`));
  return [`Email to ${to ?? "each of them"}${times[when]}: ${subject}`, "", ...body].join("\n");
}

function printPage(page: PreviewedPage): string {
  const [print] = featureTools.flatMap(({ operators }) => operators?.previews[page.page] ?? []);
  // Each feature prints the pages that it declares.
  return print ? print(page as never) : printOwn(page as OwnPage);
}

type OwnPage = Previews["order" | "referrals"];

function printOwn(page: OwnPage): string {
  const referral = referralMessages.en;
  const discount = orderDiscountMessages.en;
  switch (page.page) {
    case "order":
      return page.shows === "discount-refused"
        ? `The order shows: ${discount.title}. ${discount.refused.operator}`
        : `The order shows: ${orderWithdrawalMessages.en.declared.contested(page.declared, page.reason)}`;
    case "referrals":
      return `The referrer sees: ${referral.friends.chips.void}. ${referral.friends.voidTexts.review}`;
  }
}
