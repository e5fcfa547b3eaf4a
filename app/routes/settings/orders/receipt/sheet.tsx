import { use } from "react";
import { localeWithin } from "#app/core/text/formats.ts";
import type { Reader } from "#app/core/time/time.ts";
import { documentNumber, type IssuedDocument } from "#app/modules/documents/rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { Logo } from "#app/product/logo.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { orderDetailMessages } from "../order/messages.ts";
import {
  DocumentCorrections,
  DocumentLines,
  DocumentParties,
  DocumentSums,
  methodFacts,
  NoTaxNote,
  readerOfDocument,
} from "../order/parts.tsx";
import { orderStateMessages } from "../state.messages.ts";
import { OrderStateChip } from "../state.tsx";
import { orderReceiptMessages } from "./messages.ts";
import type { ReceiptPageData } from "./page-data.ts";

export function ReceiptSheet({ page }: { page: ReceiptPageData }) {
  const messages = useMessages(orderReceiptMessages);
  const { document, order, support } = page;
  // Dates are in the page's language, since customers pass documents on to others.
  const reader = readerOfDocument({ locale: localeWithin(use(LanguageContext), page.locale) }, document);
  const isInvoice = document.kind === "invoice";
  return (
    <div className="receipt">
      <div className="receipt-top">
        <span className="receipt-brand">
          <Logo />
          {page.product}
        </span>
        <span className="receipt-title">
          {messages.headings[document.kind]}{" "}
          {isInvoice && <NotSimplyPaid order={order} creditNotes={page.creditNotes} />}
        </span>
      </div>
      <ReceiptFacts page={page} reader={reader} />
      <DocumentParties document={document} />
      <section>
        <DocumentLines document={document} reader={reader} />
        <DocumentSums document={document} reader={reader} />
        <NoTaxNote document={document} />
      </section>
      {isInvoice && page.creditNotes.length > 0 && (
        <section>
          <h2>{messages.corrections}</h2>
          <DocumentCorrections invoice={document} creditNotes={page.creditNotes} reader={reader} />
        </section>
      )}
      <p className="receipt-footer">
        {messages.questions} <a href={`mailto:${support}`}>{support}</a>
      </p>
    </div>
  );
}

/** The state of an order that was refunded or disputed. */
function NotSimplyPaid({ order, creditNotes }: { order: Order; creditNotes: IssuedDocument[] }) {
  const { disputes } = useMessages(orderStateMessages);
  const lost = creditNotes.filter(({ reason }) => reason === "dispute-lost");
  const lostMinor = lost.reduce((sum, { moneyMinor }) => sum + moneyMinor, 0);
  const isSimplyPaid = order.state === "paid" && disputes[order.dispute] === null;
  return !isSimplyPaid && <OrderStateChip order={{ ...order, lostMinor }} />;
}

function ReceiptFacts({ page: { order, document }, reader }: { page: ReceiptPageData; reader: Reader }) {
  const messages = useMessages(orderReceiptMessages);
  const detail = useMessages(orderDetailMessages);
  const isPaid = document.kind === "invoice" && document.moneyMinor !== 0;
  const facts = [
    { label: messages.number, value: documentNumber(document) },
    ...(document.corrects === null ? [] : [{ label: messages.corrects, value: document.corrects }]),
    {
      label: isPaid ? messages.paidOn : messages.date,
      value: <Moment at={document.issuedAt} timeZone={reader.timeZone} locale={reader.locale} />,
    },
    ...(document.kind === "invoice" ? methodFacts(order, document, detail) : []),
  ];
  return (
    <dl className="receipt-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
