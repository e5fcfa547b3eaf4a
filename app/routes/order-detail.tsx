import { Link } from "react-router";
import type { Account } from "#app/domain/accounts/rules.ts";
import type { OrderDetail } from "#app/domain/orders/browse-orders.server.ts";
import { isOpen, type Order, orderNumber, type OrderState, orderStates, statusOf } from "#app/domain/orders/rules.ts";
import type { ProductConfig } from "#app/domain/product/rules.ts";
import { DataTable } from "#app/ui/data-table.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Money } from "#app/ui/money.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { StateChip } from "#app/ui/state-chip.tsx";
import { ordersWords } from "./orders.words.ts";

const tones = {
  draft: "neutral",
  pending: "waiting",
  processing: "waiting",
  "needs-action": "attention",
  paid: "good",
  "partially-refunded": "neutral",
  refunded: "neutral",
  failed: "bad",
  cancelled: "neutral",
  expired: "neutral",
} as const satisfies Record<OrderState, string>;

export function OrderStateChip({ state }: { state: OrderState }) {
  return <StateChip tone={tones[state]}>{useWords(ordersWords).states[state]}</StateChip>;
}

type Page = { account: Account; detail: OrderDetail; seller: ProductConfig["seller"] };

/** An order with its lines, what was taken off, who paid whom, and what happened when: printed, it is the receipt. */
export function OrderDetailCard({ page }: { page: Page }) {
  const { detail: words, close } = useWords(ordersWords);
  const { order, lines } = page.detail;
  const { locale, timeZone } = page.account;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency: order.currency }} locale={locale} />;
  const day = (at: number) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(at);
  return (
    <SectionCard
      title={words.title(orderNumber(order))}
      footer={
        <Link to="/settings/orders" className="no-print">
          {close}
        </Link>
      }
    >
      <OrderStateChip state={order.state} />
      {lines.length > 0 && (
        <DataTable
          caption={words.line}
          columns={[
            { key: "line", label: words.line },
            { key: "amount", label: words.total, align: "end" },
          ]}
          rows={lines.map((line) => ({
            id: String(line.position),
            cells: {
              line: (
                <>
                  {line.description}
                  {line.periodStartsAt && line.periodEndsAt && (
                    <div className="quiet">{words.period(day(line.periodStartsAt), day(line.periodEndsAt))}</div>
                  )}
                </>
              ),
              amount: amount(line.amountMinor),
            },
          }))}
        />
      )}
      <KeyValues
        sums
        items={[
          ...reductions(order, words, amount),
          { label: words.total, value: <strong>{amount(order.amountMinor)}</strong> },
        ]}
      />
      {order.billedTo && <Parties order={order} account={page.account} seller={page.seller} />}
      <Timeline page={page} />
      {isOpen(order.state) && <Link to={`/payment/${statusOf[order.state]}?order=${order.id}`}>{words.retry}</Link>}
      {order.receiptUrl && (
        <a className="no-print" href={order.receiptUrl}>
          {words.receipt}
        </a>
      )}
    </SectionCard>
  );
}

type Texts = (typeof ordersWords)["en"]["detail"];

function reductions(order: Order, words: Texts, amount: (amountMinor: number) => React.ReactNode) {
  return [
    { label: words.discount, minor: -order.discountMinor },
    { label: words.credit, minor: -order.creditMinor },
    { label: words.tax, minor: order.taxMinor },
  ]
    .filter((row) => row.minor !== 0)
    .map((row) => ({ label: row.label, value: amount(row.minor) }));
}

function Parties({ order, account, seller }: { order: Order; account: Account; seller: ProductConfig["seller"] }) {
  const { detail: words } = useWords(ordersWords);
  const buyer = [order.billedTo?.name ?? account.name ?? account.email, ...(order.billedTo?.address ?? [])];
  const vatIds = (order.billedTo?.vatIds ?? []).map(words.vatId);
  return (
    <KeyValues
      items={[
        { label: words.billedTo, value: <Address lines={[...buyer, ...vatIds]} /> },
        { label: words.seller, value: <Address lines={[seller.name, ...seller.address, words.vatId(seller.vatId)]} /> },
      ]}
    />
  );
}

function Address({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => <div key={line}>{line}</div>);
}

function Timeline({ page }: { page: Page }) {
  const { detail: words } = useWords(ordersWords);
  const { locale, timeZone } = page.account;
  return (
    <>
      <h3>{words.timeline}</h3>
      <KeyValues
        items={page.detail.moments.map((moment) => ({
          label: words.moments[orderStates.find((state) => state === moment.what) ?? "draft"],
          value: <Moment at={moment.happenedAt} timeZone={timeZone} locale={locale} style="date-time" />,
        }))}
      />
    </>
  );
}
