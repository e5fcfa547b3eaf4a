import { type ReactNode, use } from "react";
import type { Reader } from "#app/core/time/time.ts";
import {
  documentNumber,
  documentRows,
  type IssuedDocument,
  moneyLeft,
  splitCreditNotes,
} from "#app/modules/billing/documents/rules.ts";
import type { OrderLine } from "#app/modules/billing/history/reads/show-order.server.ts";
import { sumRows, type SumRow } from "#app/modules/billing/orders/amount-breakdown.rules.ts";
import { nameLine, nameQuantity } from "#app/modules/billing/orders/line-name.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { Link } from "#app/ui/components/link.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Money } from "#app/ui/components/data/money.tsx";
import { type OrderDetailTexts, orderDetailMessages } from "./messages.ts";
import { documentPath } from "./document-path.ts";
import { nameFormat } from "#app/core/text/formats.ts";
import { namePaymentMethod } from "#app/core/text/payment-method.ts";
import { formatPercent } from "#app/core/text/quantity.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";

/** Parts shared by an order's page and its documents. An order has no document before it is paid. */
type ShownLine = {
  label: string;
  amountMinor: number;
  /** Of a document. */
  netMinor?: number;
  taxMinor?: number;
  periodStartsAt: number | null;
  periodEndsAt: number | null;
};

/** A reader whose dates are in the seller's time zone, as on every copy of the document. */
export function readerOfDocument({ locale }: { locale: string }, { timeZone }: IssuedDocument): Reader {
  return { locale, timeZone };
}

export function OrderLines({ order, lines, reader }: { order: Order; lines: OrderLine[]; reader: Reader }) {
  const shown = lines.map((line) => ({ ...line, label: nameLine(line) }));
  return <Lines currency={order.currency} lines={shown} reader={reader} />;
}

export function DocumentLines({ document, reader }: { document: IssuedDocument; reader: Reader }) {
  const hasTax = document.taxes.length > 0;
  const lines = document.lines.map(({ label, quantity, totalMinor, netMinor, taxMinor, ...period }) => ({
    ...period,
    label: nameQuantity(label, quantity),
    amountMinor: totalMinor,
    ...(hasTax && { netMinor, taxMinor }),
  }));
  return <Lines currency={document.currency} lines={lines} reader={reader} />;
}

/** Each line with its period; the unused time of a replaced plan is a negative line. */
function Lines({ currency, lines, reader }: { currency: string; lines: ShownLine[]; reader: Reader }) {
  const messages = useMessages(orderDetailMessages);
  if (lines.length === 0) return null;
  const day = (at: number) => <Moment at={at} locale={reader.locale} timeZone={reader.timeZone} style="short" />;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency }} locale={reader.locale} />;
  return (
    <DataTable
      caption={messages.line}
      columns={[
        { key: "line", label: messages.line },
        { key: "amount", label: messages.amount, align: "end" },
      ]}
      rows={lines.map((line, index) => ({
        id: String(index),
        cells: {
          line: (
            <>
              {line.label}
              {line.periodStartsAt !== null && line.periodEndsAt !== null && (
                <div className="quiet">
                  {day(line.periodStartsAt)} {messages.to} {day(line.periodEndsAt)}
                </div>
              )}
              {line.netMinor !== undefined && line.taxMinor !== undefined && lines.length > 1 && (
                <div className="quiet">
                  {messages.lineNet} {amount(line.netMinor)}, {messages.lineTax} {amount(line.taxMinor)}
                </div>
              )}
            </>
          ),
          amount: amount(line.amountMinor),
        },
      }))}
    />
  );
}

/** From the lines to the amount charged; nothing for an unpaid order whose only line is that amount. */
export function OrderSums({ order, lines, reader }: { order: Order; lines: OrderLine[]; reader: Reader }) {
  const messages = useMessages(orderDetailMessages);
  const { currency, amountMinor } = order;
  const rows = sumRows(order, lines);
  if (rows.length === 0 && order.paidAt === null) return null;
  return <Sums {...{ rows, currency, amountMinor, reader }} label={messages.asked} />;
}

/** From the lines to the money that was paid or went back. */
export function DocumentSums({ document, reader }: { document: IssuedDocument; reader: Reader }) {
  const messages = useMessages(orderDetailMessages);
  const { currency, moneyMinor: amountMinor } = document;
  const label = messages.money[document.reason ?? "invoice"];
  return <Sums {...{ rows: documentRows(document), currency, amountMinor, reader, label }} />;
}

type SumsProps = { rows: SumRow[]; currency: string; amountMinor: number; reader: Reader; label: string };

function Sums({ rows, currency, amountMinor, reader, label }: SumsProps) {
  const messages = useMessages(orderDetailMessages);
  const amount = (minor: number) => <Money value={{ amountMinor: minor, currency }} locale={reader.locale} />;
  const items = rows.map((row) => ({
    label: labelOf(row, messages, reader.locale),
    value: amount(row.amountMinor),
  }));
  return <KeyValues sums items={[...items, { label, value: <strong>{amount(amountMinor)}</strong> }]} />;
}

/** Why a document states no tax. */
export function NoTaxNote({ document }: { document: IssuedDocument }) {
  const messages = useMessages(orderDetailMessages);
  return document.taxes.length === 0 && <p className="quiet">{document.exemption ?? messages.noTax}</p>;
}

function labelOf(row: SumRow, messages: OrderDetailTexts, locale: string): string {
  switch (row.what) {
    case "net":
      return messages.net;
    case "tax-total":
      return messages.tax;
    case "reverse-charge":
      return messages.reverseCharge;
    case "total":
      return messages.charged;
    case "tax":
      return messages.taxAt(row.name, row.percent === null ? null : formatPercent(row.percent, locale));
    default:
      return messages.steps[row.what];
  }
}

type CorrectionsProps = { invoice: IssuedDocument; creditNotes: IssuedDocument[]; reader: Reader };

/** The money that went back, each amount with its credit note, and what is left of the payment; below it, what was given back as credit. */
export function DocumentCorrections({ invoice, creditNotes, reader }: CorrectionsProps) {
  const messages = useMessages(orderDetailMessages);
  const { ofMoney, ofCredit } = splitCreditNotes(creditNotes);
  const { currency } = invoice;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency }} locale={reader.locale} />;
  const rowOf = (note: IssuedDocument, amountMinor: number): SumItem => ({
    label: (
      <>
        {messages.corrections[note.reason ?? "refund"]}{" "}
        <Moment at={note.issuedAt} timeZone={note.timeZone} locale={reader.locale} />,{" "}
        <Link to={documentPath(note)}>{messages.creditNote(documentNumber(note))}</Link>
      </>
    ),
    value: amount(amountMinor),
  });
  const isReturned = ofMoney.some(({ reason }) => reason === "dispute-lost");
  const left = {
    label: isReturned ? messages.retainedAfterReturn : messages.retained,
    value: <strong>{amount(moneyLeft(invoice, ofMoney))}</strong>,
  };
  return (
    <>
      {ofMoney.length > 0 && <SumItems items={[...ofMoney.map((note) => rowOf(note, 0 - note.moneyMinor)), left]} />}
      {ofCredit.length > 0 && <SumItems items={ofCredit.map((note) => rowOf(note, note.totalMinor))} />}
    </>
  );
}

type SumItem = { label: ReactNode; value: ReactNode };

/** As `KeyValues`, with links in its labels. */
function SumItems({ items }: { items: SumItem[] }) {
  return (
    <dl className="key-values key-values-sums">
      {items.map(({ label, value }, index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The seller and, as of the document, the customer's billing details: side by side where there is room. */
export function DocumentParties({ document }: { document: IssuedDocument }) {
  const messages = useMessages(orderDetailMessages);
  // Country names are in the page's language. The account's locale only formats dates.
  const language = use(LanguageContext);
  const { buyer, seller } = document;
  const country = buyer.country ? [nameFormat(language).of(buyer.country) ?? buyer.country] : [];
  const buyerLines = [...(buyer.name === null ? [] : [buyer.name]), ...buyer.address, ...country];
  const vatIds = buyer.vatIds.map(messages.vatId);
  const sellerVatId = seller.vatId ? [messages.vatId(seller.vatId)] : [];
  return (
    <dl className="parties">
      <Party label={messages.seller} lines={[seller.name, ...seller.address, ...sellerVatId]} />
      <Party label={messages.billedTo} lines={[...buyerLines, ...vatIds]} />
    </dl>
  );
}

/** Hydration may differ: browsers and the Worker may name a country differently, such as "Turkey" and "Türkiye". */
function Party({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {lines.map((line, index) => (
          <div key={index} suppressHydrationWarning>
            {line}
          </div>
        ))}
      </dd>
    </div>
  );
}

/** How an invoice was paid. */
export function methodFacts(
  { buyer: { paidBy }, moneyMinor, steps }: IssuedDocument,
  messages: OrderDetailTexts,
): { label: string; value: string }[] {
  if (paidBy) return [{ label: messages.paidBy, value: namePaymentMethod(paidBy.method, paidBy.last4) }];
  if (moneyMinor !== 0) return [];
  const isOfCredit = steps.some(({ what }) => what === "credit");
  return [{ label: messages.paidBy, value: isOfCredit ? messages.credit : messages.noMoney }];
}

/** The invoice of a paid order. Its credit notes are linked where they are listed. */
export function OrderDocuments({ invoice }: { invoice: IssuedDocument }) {
  const messages = useMessages(orderDetailMessages);
  return (
    <LinkButton kind="primary" to={documentPath(invoice)}>
      {messages.invoice}
    </LinkButton>
  );
}
