import { href, Link } from "react-router";
import { TextWithAddress } from "#app/ui/components/data/text-with-address.tsx";
import type { WithdrawalRow } from "./say-withdrawal.ts";

/** Rows of a plan's facts: each withdrawal that isn't settled leads to its order. */
export function withdrawalRows(withdrawals: readonly WithdrawalRow[]) {
  return withdrawals.map(({ orderId, label, text, support, link }) => ({
    label,
    value: (
      <>
        <TextWithAddress text={text} address={support} />{" "}
        <Link to={href("/settings/orders/:order", { order: orderId })}>{link}</Link>
      </>
    ),
  }));
}
