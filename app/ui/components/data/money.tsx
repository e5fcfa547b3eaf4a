import { formatMoney, formatPrice, type MoneyAmount } from "#app/core/money/money.ts";

export function Money({ value, locale }: { value: MoneyAmount; locale: string }) {
  return (
    <span className="money" suppressHydrationWarning>
      {formatMoney(value, locale)}
    </span>
  );
}

/** On plan cards: a whole amount without decimals. */
export function Price({ value, locale }: { value: MoneyAmount; locale: string }) {
  return (
    <span className="money" suppressHydrationWarning>
      {formatPrice(value, locale)}
    </span>
  );
}
