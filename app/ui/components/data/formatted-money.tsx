import { formatMoney, formatPrice, type FormattedMoney as Amount } from "#app/core/money/money.ts";

export function Money({ value, locale }: { value: Amount; locale: string }) {
  return (
    <span className="money" suppressHydrationWarning>
      {formatMoney(value, locale)}
    </span>
  );
}

/** On plan cards: a whole amount without decimals. */
export function Price({ value, locale }: { value: Amount; locale: string }) {
  return (
    <span className="money" suppressHydrationWarning>
      {formatPrice(value, locale)}
    </span>
  );
}
