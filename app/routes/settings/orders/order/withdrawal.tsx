import { Link, href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { WithdrawalOffer } from "#app/modules/withdrawals/contract-offer.rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { orderDetailMessages } from "./messages.ts";
import type { OrderPageData } from "./page-data.ts";

/** The withdrawal declared for an order's contract and its result; or, while withdrawal is possible, the deadline and the link. */
export function OrderWithdrawal({ page: { account, order, withdrawal, days } }: { page: OrderPageData }) {
  const { withdrawal: messages } = useMessages(orderDetailMessages);
  const { declared, offer } = withdrawal;
  return (
    <>
      {declared && <DeclaredNotice account={account} declared={declared} />}
      {offer && (
        <div className="no-print">
          <Notice kind="info">
            <p>
              {messages.open(days.withdrawUntil ?? "")} <WhatGoesBack account={account} offer={offer} order={order} />
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

/** A change of plan belongs to the contract that it changed: all of its orders are listed, with the amount refunded. */
function WhatGoesBack({ account, offer, order }: { account: Account; offer: WithdrawalOffer; order: Order }) {
  const { withdrawal: messages } = useMessages(orderDetailMessages);
  const { locale } = account;
  const { currency } = order;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const names = offer.orders.map(({ number }) => number ?? "");
  return (
    <>
      {names.length > 1 && messages.covers(new Intl.ListFormat("en", { type: "conjunction" }).format(names))}{" "}
      {messages.back(money(offer.totalMinor), offer.creditMinor > 0 ? money(offer.creditMinor) : null)}
    </>
  );
}
