import { driveCheckout } from "./control-checkout.ts";
import {
  cancelPlan,
  disputeOrder,
  endDebit,
  holdCharges,
  pausePlan,
  refundOrder,
  renewCardOf,
  warnOfOrder,
} from "./control-orders.ts";
import { readCommand } from "./read-command.ts";
import type { ControlCommand } from "./control-commands.ts";
import { setPausesAfter } from "../actions/subscriptions/pause-subscription.ts";
import { setResumes } from "../actions/subscriptions/resume-after-payment.ts";
import { setDisorder } from "../http/disorder.ts";
import { saveDefaultConfiguration } from "../objects/portal/portal-configurations.ts";
import { controlPage } from "../pages/control-page.ts";
import { refusalPage } from "../pages/refusal-page.ts";
import { errorResponse, invalid, StripeRefusal, unknownUrl } from "../http/stripe-errors.ts";
import type { Account, Done } from "../account.ts";

const SECONDS_PER_DAY = 86_400;
const EVENTS_SHOWN = 100;

/**
 * What a developer on the control page or a test can make this Stripe do. JSON in; JSON out once the events that it caused
 * are delivered or abandoned; a form is redirected back to the page.
 */
export async function answerControl(account: Account, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
  try {
    if (request.method === "GET") return answerQuestion(account, url);
    const command = readCommand(
      url.pathname,
      isForm ? Object.fromEntries(await request.formData()) : await request.json(),
    );
    const { result, events } = carryOut(account, url.origin, command);
    if (isForm) return Response.redirect(new URL(`/control?done=${command.kind}#done`, url).href, 303);
    await account.dispatcher.settle(events);
    return Response.json({ ...result, events: eventsWithDeliveries(account, events) });
  } catch (error) {
    if (error instanceof SyntaxError) return errorResponse(invalid("The body is not JSON."));
    if (!(error instanceof StripeRefusal)) throw error;
    return isForm ? refusalPage(error, "/control", "Back to the control page") : errorResponse(error);
  }
}

function answerQuestion(account: Account, { pathname, searchParams }: URL): Response {
  switch (pathname) {
    case "/control":
      return controlPage(account, searchParams.get("done"));
    case "/control/health":
      return Response.json({
        status: "ok",
        prices: [...account.store.newestFirst("price")].filter((price) => price.active).length,
      });
    case "/control/events": {
      const ids: string[] = [];
      for (const event of account.store.newestFirst("event")) if (ids.push(event.id) === EVENTS_SHOWN) break;
      return Response.json({ events: eventsWithDeliveries(account, ids) });
    }
    default:
      throw unknownUrl("GET", pathname);
  }
}

const eventsWithDeliveries = (account: Account, ids: string[]) =>
  ids
    .map((id) => account.store.find("event", id))
    .filter((event) => event !== null)
    .map(({ id, type, created }) => ({ id, type, created, deliveries: account.dispatcher.attemptsOf(id) }));

function carryOut(account: Account, origin: string, command: ControlCommand): Done<object> {
  switch (command.kind) {
    case "clock": {
      const { events } = account.advance({ origin }, Math.round(command.advanceDays * SECONDS_PER_DAY));
      return { result: { now: account.clock.now() }, events };
    }
    case "clock-start":
      return account.transact({ origin }, ({ store, clock }) => {
        if (!store.isEmpty()) throw invalid("The clock can start in the past only before anything has happened.");
        clock.startAgo(Math.round(command.startDaysAgo * SECONDS_PER_DAY));
        return { now: clock.now() };
      });
    case "checkout":
      return account.transact({ origin }, (tx) => driveCheckout(tx, command));
    case "refund":
      return account.transact({ origin }, (tx) => refundOrder(tx, command));
    case "dispute":
      return account.transact({ origin }, (tx) => disputeOrder(tx, command));
    case "warning":
      return account.transact({ origin }, (tx) => warnOfOrder(tx, command));
    case "card":
      return account.transact({ origin }, (tx) => renewCardOf(tx, command));
    case "debit":
      return account.transact({ origin }, (tx) => endDebit(tx, command));
    case "hold":
      return account.transact({ origin }, (tx) => holdCharges(tx, command));
    case "pause":
      return account.transact({ origin }, (tx) => pausePlan(tx, command));
    case "retries":
      return account.transact({ origin }, (tx) => {
        const { pausesAfter, resumes, afterLast } = command;
        setPausesAfter(tx.store, pausesAfter);
        setResumes(tx.store, resumes);
        if (afterLast !== null) tx.store.writeNote("after-last-retry", afterLast);
        return { pausesAfter, resumes, afterLast };
      });
    case "portal":
      return account.transact({ origin }, (tx) => ({ configuration: saveDefaultConfiguration(tx) }));
    case "cancel":
      return account.transact({ origin }, (tx) => cancelPlan(tx, command));
    case "disorder":
      return account.transact({ origin }, (tx) => {
        setDisorder(tx.store, command.disorder);
        return { disorder: command.disorder };
      });
    case "resend":
      account.resend({ origin }, command.event);
      return { result: {}, events: [command.event] };
    case "secret":
      return account.transact({ origin }, () => account.rollSecret(command.keepHours));
  }
}
