import type Stripe from "stripe";
import {
  addCard,
  answerForCard,
  chooseCard,
  chooseCardFor,
  isAwaitingHolder,
  isInUse,
  liveSubscriptions,
  removeCard,
} from "../actions/payments/cards.ts";
import { changeDetails } from "../actions/payments/change-details.ts";
import type { Transaction } from "../transaction.ts";
import { demand } from "../objects/demand.ts";
import { attachedTo } from "../objects/payments/payment-methods.ts";
import { type PortalPermissions, permissionsOf } from "../objects/portal/portal-permissions.ts";
import { addTaxId, removeTaxId, taxIdsOf } from "../objects/customers/tax-ids.ts";
import { invalid, missingObject } from "../http/stripe-errors.ts";
import { readTaxId } from "../money/read-tax-id.ts";
import { readCard } from "./card-fields.ts";
import { readDetails } from "./details-fields.ts";
import { linkTo, seeOther } from "./html.ts";
import { confirmCardPage, DONE, portalPage, type PortalView } from "./portal-page.ts";
import { carryOutForPlan, PLAN_INTENTS, planPageFor } from "./portal-plan.ts";
import { confirmationPage } from "./portal-plan-page.ts";
import type { Account } from "../account.ts";

type Session = Stripe.BillingPortal.Session;

/** The billing portal: cards, plans, name and address, VAT ids. A deep link (`flow_data`) shows only the page that it names. */
export async function answerPortal(
  account: Account,
  request: Request,
  id: string,
  step: string | undefined,
): Promise<Response> {
  const caller = { origin: new URL(request.url).origin };
  if (request.method === "POST") {
    const fields = await request.formData();
    const { result } = account.transact(caller, (tx) =>
      takeOrder(tx, demand(tx, "billing_portal_session", id), fields, step),
    );
    return seeOther(request, result);
  }
  const query = new URL(request.url).searchParams;
  const { result } = account.transact(caller, (tx) => {
    const session = demand(tx, "billing_portal_session", id);
    const view = viewOf(tx, session, query.get("done"));
    if (step === "confirm" && view.isAwaitingHolder) return () => confirmCardPage(view);
    // A flow that is done leads to the home page, or to what its session says.
    if (view.isFlowDone && session.flow?.after_completion.type === "hosted_confirmation")
      return () =>
        confirmationPage(session, session.flow?.after_completion.hosted_confirmation?.custom_message ?? null);
    return (view.isFlowDone ? null : planPageFor(tx, session, step, query)) ?? (() => portalPage(view));
  });
  return result();
}

/** Runs the customer's choice, and returns where the browser goes next. */
function takeOrder(tx: Transaction, session: Session, fields: FormData, step: string | undefined): string {
  const here = `/portal/${session.id}`;
  const named = (name: string): string => String(fields.get(name) ?? "");
  demandPower(permissionsOf(tx, session), named("intent"));
  if (PLAN_INTENTS.includes(named("intent"))) {
    const outcome = carryOutForPlan(tx, session, fields);
    return "back" in outcome ? outcome.back : afterFlow(session, outcome.done);
  }
  if (step === "confirm") return afterCard(session, answerForCard(tx, session, named("answer") === "complete"));
  switch (named("intent")) {
    case "choose":
      chooseCard(tx, session, named("method"));
      return `${here}?done=chosen`;
    case "choose-for-plan":
      // Leaving "the default one" selected changes nothing.
      if (named("method") !== "") chooseCardFor(tx, session, named("subscription"), named("method"));
      return `${here}?done=chosen`;
    case "remove":
      removeCard(tx, session, named("method"));
      return `${here}?done=removed`;
    case "details": {
      const details = readDetails(fields, { address: true, taxId: false });
      if ("problem" in details) return `${here}?done=${details.problem}`;
      changeDetails(tx, session, details);
      return `${here}?done=details`;
    }
    case "add-tax-id": {
      const taxId = readTaxId(named("tax_id"));
      if (taxId === null) return `${here}?done=tax-id`;
      addTaxId(tx, demand(tx, "customer", session.customer), taxId);
      return `${here}?done=details`;
    }
    case "remove-tax-id":
      removeTaxId(tx, ownTaxId(tx, session, named("taxId")));
      return `${here}?done=details`;
    default:
      return takeCard(tx, session, fields);
  }
}

/** Refuses a feature that the account's configuration disables, also to a client that posts its form directly. */
function demandPower(permissions: PortalPermissions, intent: string): void {
  const { hasCards, hasDetails, hasTaxIds, hasCancel, hasUpdate } = permissions;
  const isGranted =
    {
      details: hasDetails,
      "add-tax-id": hasTaxIds,
      "remove-tax-id": hasTaxIds,
      "cancel-plan": hasCancel,
      "keep-plan": hasCancel,
      "take-offer": hasCancel,
      "change-plan": hasUpdate,
    }[intent] ?? hasCards;
  if (!isGranted) throw invalid("The portal of this account doesn't offer that.");
}

function takeCard(tx: Transaction, session: Session, fields: FormData): string {
  const typed = readCard(fields, tx.clock.now());
  if ("problem" in typed) return `/portal/${session.id}?done=${typed.problem}`;
  const isDefault = session.flow !== null || fields.get("keepDefault") === null;
  return afterCard(session, addCard(tx, session, { ...typed, isDefault }));
}

function afterCard(session: Session, outcome: "added" | "declined" | "asks-holder"): string {
  const here = `/portal/${session.id}`;
  if (outcome === "asks-holder") return `${here}/confirm`;
  return outcome === "added" ? afterFlow(session, outcome) : `${here}?done=${outcome}`;
}

/** Where a session's flow leads when it is done; the home page says so. */
function afterFlow(session: Session, done: string): string {
  const wayBack = session.flow?.after_completion.redirect?.return_url;
  return wayBack === undefined ? `/portal/${session.id}?done=${done}` : linkTo(wayBack);
}

function ownTaxId(tx: Transaction, session: Session, id: string): Stripe.TaxId {
  const taxId = tx.store.find("tax_id", id);
  if (taxId?.customer === session.customer) return taxId;
  throw missingObject("tax_id", id);
}

function viewOf(tx: Transaction, session: Session, done: string | null): PortalView {
  const customer = demand(tx, "customer", session.customer);
  return {
    session,
    permissions: permissionsOf(tx, session),
    customer,
    done,
    isFlowDone: session.flow !== null && done !== null && done in DONE,
    methods: [...attachedTo(tx, customer.id, undefined)].map((method) => ({
      method,
      isInUse: isInUse(tx, customer.id, method),
    })),
    subscriptions: liveSubscriptions(tx, customer.id),
    taxIds: taxIdsOf(tx, customer).toReversed(),
    isAwaitingHolder: isAwaitingHolder(tx, session),
  };
}
