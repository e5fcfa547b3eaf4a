import { formatMoney, type Money as Amount } from "#app/core/money/money.ts";

export function Money({ value, locale }: { value: Amount; locale: string }) {
  return (
    <span className="money" suppressHydrationWarning>
      {formatMoney(value, locale)}
    </span>
  );
}
