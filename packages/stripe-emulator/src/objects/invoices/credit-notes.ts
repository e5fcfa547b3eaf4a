import type Stripe from "stripe";
import { issueCreditNote, voidCreditNote } from "../../actions/payments/issue-credit-note.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { differences } from "../customers/customers.ts";
import { demand } from "../demand.ts";
import { readCreditNoteForm } from "./credit-note-form.ts";
import { composeCreditNote } from "./credit-note-shape.ts";

const PATH = "/v1/credit_notes";

export const creditNoteRoutes = [
  route("POST", PATH, readCreditNoteForm, issueCreditNote),
  route("GET", PATH, readQuery, listCreditNotes),
  // Before the notes themselves: `preview` isn't the id of one.
  route("GET", `${PATH}/preview`, readCreditNoteForm, composeCreditNote),
  route(
    "GET",
    `${PATH}/preview/lines`,
    (form) => ({ page: readPage(form), input: readCreditNoteForm(form) }),
    (tx, { page, input }) => paginate(`${PATH}/preview/lines`, page, composeCreditNote(tx, input).lines.data),
  ),
  route("GET", `${PATH}/:id`, nothing, (tx, _, id = "") => demand(tx, "credit_note", id)),
  route("GET", `${PATH}/:id/lines`, readPage, (tx, page, id = "") =>
    paginate(`${PATH}/${id}/lines`, page, demand(tx, "credit_note", id).lines.data),
  ),
  route("POST", `${PATH}/:id`, (form) => ({ memo: form.text("memo"), metadata: form.metadata() }), changeNotes),
  route("POST", `${PATH}/:id/void`, nothing, (tx, _, id = "") => voidCreditNote(tx, demand(tx, "credit_note", id))),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    customer: form.text("customer"),
    invoice: form.text("invoice"),
    created: form.range("created"),
  };
}

function listCreditNotes(tx: Transaction, { page, customer, invoice, created }: ReturnType<typeof readQuery>): object {
  const isWanted = (note: Stripe.CreditNote): boolean =>
    (invoice === undefined || note.invoice === invoice) && created(note.created);
  return paginate(PATH, page, only(tx.store.newestFirst("credit_note", customer), isWanted));
}

/** An issued credit note's amounts stay. */
function changeNotes(
  tx: Transaction,
  { memo, metadata }: { memo: string | undefined; metadata: Record<string, string> | undefined },
  id = "",
): Stripe.CreditNote {
  const before = demand(tx, "credit_note", id);
  const after = tx.store.put("credit_note", {
    ...before,
    memo: memo ?? before.memo,
    metadata: mergeMetadata(before.metadata ?? {}, metadata),
  });
  tx.record("credit_note.updated", after, differences(before, after));
  return after;
}
