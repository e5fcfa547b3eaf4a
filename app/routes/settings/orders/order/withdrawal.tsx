import { href } from "react-router";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { TextWithAddress } from "#app/ui/components/data/text-with-address.tsx";
import { orderDetailMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";

/** The withdrawal declared for an order's contract and its result; or, while withdrawal is possible, the deadline and the link. */
export function OrderWithdrawal({ page }: { page: OrderPageData }) {
  const { order, withdrawal, days } = page;
  const { withdrawal: messages } = useMessages(orderDetailMessages);
  const { offer, declared } = withdrawal;
  // The notice above says what happens next, whether the owner or someone else declared it.
  const isDeclaredOpen = declared !== null && isUnanswered(declared);
  return (
    <>
      {page.declaredText && (
        <Notice kind="info">
          <TextWithAddress text={page.declaredText} address={page.support} />
        </Notice>
      )}
      {offer && !isDeclaredOpen && (
        <div className="no-print">
          <Notice kind="info">
            <p>
              {messages.open(days.withdrawUntil ?? "")} {page.refundText}
            </p>
            <p>
              <Link to={`${href("/withdraw")}?order=${order.id}`}>{messages.link}</Link>
            </p>
          </Notice>
        </div>
      )}
    </>
  );
}
