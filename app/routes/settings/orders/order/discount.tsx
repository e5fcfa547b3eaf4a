import { Notice } from "#app/ui/components/feedback/notice.tsx";
import type { sayDiscount } from "./say-discount.ts";

/** The state of a friend's discount until it is paid out; after that, the order's totals and timeline show it. */
export function OrderDiscountNotice({ kind, title, text }: ReturnType<typeof sayDiscount>) {
  return (
    <Notice kind={kind} title={title}>
      {text}
    </Notice>
  );
}
