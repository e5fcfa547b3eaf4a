import { Link, href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { orderDetailMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";

/** The withdrawal declared for an order's contract and its result; or, while withdrawal is possible, the deadline and the link. */
export function OrderWithdrawal({ page }: { page: OrderPageData }) {
  const { account, order, withdrawal, days } = page;
  const { withdrawal: messages } = useMessages(orderDetailMessages);
  const { declared, offer } = withdrawal;
  return (
    <>
      {declared && <DeclaredNotice account={account} declared={declared} />}
      {offer && (
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

type Declared = NonNullable<OrderPageData["withdrawal"]["declared"]>;

function DeclaredNotice({ account, declared }: { account: Account; declared: Declared }) {
  const { withdrawal: messages } = useMessages(orderDetailMessages);
  const { declaredAt, state, declaredBy, contestReason } = declared;
  const after =
    state === "refunded"
      ? messages.settled
      : state === "contested"
        ? messages.contested(contestReason)
        : declaredBy === "anyone"
          ? messages.byAnyone
          : messages.after;
  return (
    <Notice kind="info">
      {messages.declared} {/* As in the email that confirms it. */}
      <Moment at={declaredAt} locale={account.locale} timeZone={account.timeZone} style="exact" />
      {after}
    </Notice>
  );
}
