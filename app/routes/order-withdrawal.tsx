import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { DetailProps } from "./order-detail.tsx";
import { orderDetailWords } from "./order-detail.words.ts";

/** While an order can be withdrawn from: until when, and the way there. Afterwards, that it was. */
export function OrderWithdrawal({ account, detail, days }: Pick<DetailProps, "account" | "detail" | "days">) {
  const { withdrawal: words } = useWords(orderDetailWords);
  const { order, withdrawal } = detail;
  if (!withdrawal) return null;
  if ("declaredAt" in withdrawal) {
    return (
      <Notice kind="info">
        {words.declared}{" "}
        <Moment at={withdrawal.declaredAt} locale={account.locale} timeZone={account.timeZone} style="date-time" />
        {withdrawal.state === "refunded" ? words.settled : words.after}
      </Notice>
    );
  }
  return (
    <>
      <p className="no-print">{words.open(days.withdrawUntil ?? "")}</p>
      <LinkButton to={`/withdraw?order=${order.id}`}>{words.link}</LinkButton>
    </>
  );
}
