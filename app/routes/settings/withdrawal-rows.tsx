import { href } from "react-router";
import { Link } from "#app/ui/components/link.tsx";
import type { WithdrawalRow } from "./say-withdrawal.ts";

/** Rows of a plan's facts: each withdrawal that isn't settled leads to its order. */
export function withdrawalRows(withdrawals: readonly WithdrawalRow[]) {
  return withdrawals.map(({ orderId, label, text, link }) => ({
    label,
    value: (
      <>
        {text} <Link to={href("/settings/orders/:order", { order: orderId })}>{link}</Link>
      </>
    ),
  }));
}
