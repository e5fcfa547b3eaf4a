import { formatMoney, sumMinor } from "#app/core/money/money.ts";
import { ColumnChart } from "#app/ui/components/data/column-chart.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { ordersMessages } from "./messages.ts";
import { dateFormat } from "#app/core/text/formats.ts";
import type { OrdersPageData } from "./page-data.ts";

/** A chart of the last months' spending. Renders nothing with fewer than two months to compare. */
export function OrdersSpending({ page }: { page: OrdersPageData }) {
  const { spending: messages } = useMessages(ordersMessages);
  const { locale } = page.reader;
  if (page.spent.length === 0) return null;
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency: page.currency }, locale);
  const total = sumMinor(page.spent);
  return (
    <SectionCard title={messages.title}>
      <p>{messages.text(amount(total), page.spent.length)}</p>
      <ColumnChart
        label={messages.label}
        columns={page.spent.map(({ year, month, amountMinor }) => {
          const day = Date.UTC(year, month - 1, 1);
          return {
            key: String(day),
            short: monthName(day, locale, "short"),
            text: messages.month(monthName(day, locale, "long"), amount(amountMinor)),
            value: amountMinor,
          };
        })}
      />
    </SectionCard>
  );
}

/** "Oct" below a column, "October 2026" in its text. */
function monthName(day: number, locale: string, month: "short" | "long"): string {
  const year = month === "long" ? "numeric" : undefined;
  return dateFormat(locale, { month, year, timeZone: "UTC" }).format(day);
}
