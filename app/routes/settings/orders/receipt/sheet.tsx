import { use } from "react";
import { localeWithin } from "#app/core/text/formats.ts";
import type { Reader } from "#app/core/time/time.ts";
import { documentNumber, type IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { orderDetailMessages } from "../order/messages.ts";
import {
  DocumentLines,
  DocumentParties,
  DocumentSums,
  methodFacts,
  NoTaxNote,
  readerOfDocument,
} from "../order/parts.tsx";
import { orderReceiptMessages } from "./messages.ts";
import type { Route } from "./+types/route";

/** Only what was stored when the document was issued, so that it prints the same on every day. */
export function ReceiptSheet({ page }: { page: ReceiptPageData }) {
  const messages = useMessages(orderReceiptMessages);
  const { document } = page;
  // Dates are in the page's language, since customers pass documents on to others.
  const reader = readerOfDocument({ locale: localeWithin(use(LanguageContext), page.locale) }, document);
  return (
    <div className="receipt">
      <div className="receipt-top">
        <span className="receipt-brand">{document.seller.name}</span>
        <span className="receipt-title">{messages.headings[document.kind]}</span>
      </div>
      <ReceiptFacts document={document} reader={reader} />
      <DocumentParties document={document} />
      <section>
        <DocumentLines document={document} reader={reader} />
        <DocumentSums document={document} reader={reader} />
        <NoTaxNote document={document} />
      </section>
    </div>
  );
}

function ReceiptFacts({ document, reader }: { document: IssuedDocument; reader: Reader }) {
  const messages = useMessages(orderReceiptMessages);
  const detail = useMessages(orderDetailMessages);
  const day = <Moment at={document.issuedAt} timeZone={reader.timeZone} locale={reader.locale} />;
  const isPaid = document.kind === "invoice" && document.moneyMinor !== 0;
  const facts = [
    { label: messages.number, value: documentNumber(document) },
    ...(document.corrects === null ? [] : [{ label: messages.corrects(document.reason), value: document.corrects }]),
    { label: messages.issuedOn, value: day },
    // An invoice is dated when it was paid.
    ...(isPaid ? [{ label: messages.paidOn, value: day }] : []),
    ...(document.kind === "invoice" ? methodFacts(document, detail) : []),
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

type ReceiptPageData = Route.ComponentProps["loaderData"];
