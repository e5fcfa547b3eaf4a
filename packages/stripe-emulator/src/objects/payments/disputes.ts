import type Stripe from "stripe";
import { closeDispute, saveDispute, submitEvidence } from "../../actions/payments/dispute.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { EVIDENCE_TEXTS } from "./dispute-shape.ts";
import { demand } from "../demand.ts";

export const disputeRoutes = [
  route(
    "GET",
    "/v1/disputes",
    (form) => ({
      page: readPage(form),
      charge: form.text("charge"),
      intent: form.text("payment_intent"),
      created: form.range("created"),
    }),
    (tx, { page, charge, intent, created }) =>
      paginate(
        "/v1/disputes",
        page,
        only(
          tx.store.newestFirst("dispute"),
          (dispute) =>
            (charge === undefined || dispute.charge === charge) &&
            (intent === undefined || dispute.payment_intent === intent) &&
            created(dispute.created),
        ),
      ),
  ),
  route("GET", "/v1/disputes/:id", nothing, (tx, _, id = "") => demand(tx, "dispute", id)),
  route("POST", "/v1/disputes/:id", readChange, changeDispute),
  route("POST", "/v1/disputes/:id/close", nothing, (tx, _, id = "") =>
    closeDispute(tx, demand(tx, "dispute", id), "lost"),
  ),
];

function readChange(form: Form) {
  return {
    evidence: form.group("evidence", readEvidence),
    isSubmitted: form.flag("submit") ?? true,
    metadata: form.metadata(),
  };
}

const readEvidence = (form: Form): Partial<Stripe.Dispute.Evidence> =>
  Object.fromEntries(
    EVIDENCE_TEXTS.flatMap((name) => {
      const text = form.text(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );

/** Evidence is submitted to the bank immediately unless the caller only stages it. */
function changeDispute(tx: Transaction, input: ReturnType<typeof readChange>, id = ""): Stripe.Dispute {
  const dispute = demand(tx, "dispute", id);
  const changed: Stripe.Dispute = { ...dispute, metadata: mergeMetadata(dispute.metadata, input.metadata) };
  if (input.evidence === undefined) return saveDispute(tx, dispute, changed);
  if (input.isSubmitted) return submitEvidence(tx, changed, input.evidence);
  return saveDispute(tx, dispute, { ...changed, evidence: { ...dispute.evidence, ...input.evidence } });
}
