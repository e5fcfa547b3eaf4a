import type Stripe from "stripe";
import { answerBank, expireSession, payByBank, payByCard, progressOf, settleDebit } from "./acts/checkout.ts";
import type { Books } from "./books.ts";
import { cardByNumber, type TestCard } from "./cards.ts";
import type { Desk, Done } from "./desk.ts";
import { type Disorder, setDisorder } from "./disorder.ts";
import { type Order, readOrder } from "./control-orders.ts";
import { demand } from "./objects/find.ts";
import { controlPage } from "./pages/control-page.ts";
import { errorResponse, invalid, StripeRefusal, unknownUrl } from "./stripe-errors.ts";
import { whereTo } from "./pages/where-to.ts";

const SECONDS_PER_DAY = 86_400;
const EVENTS_SHOWN = 100;

/**
 * What a person on the control page or a test can make this Stripe do. JSON in, JSON out when the events that it caused
 * are delivered or given up; a form is answered with the way back to the page.
 */
export async function answerControl(desk: Desk, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isJson = request.headers.get("content-type")?.startsWith("application/json") ?? false;
  try {
    if (request.method === "GET") return answerQuestion(desk, pathname);
    const order = readOrder(pathname, isJson ? await request.json() : Object.fromEntries(await request.formData()));
    const { result, events } = carryOut(desk, new URL(request.url).origin, order);
    if (!isJson) return Response.redirect(new URL("/control", request.url).href, 303);
    await desk.courier.settle(events);
    return Response.json({ ...result, events: eventsWithDeliveries(desk, events) });
  } catch (error) {
    if (error instanceof StripeRefusal) return errorResponse(error);
    if (error instanceof SyntaxError) return errorResponse(invalid("The body is not JSON."));
    throw error;
  }
}

function answerQuestion(desk: Desk, pathname: string): Response {
  switch (pathname) {
    case "/control":
      return controlPage(desk);
    case "/control/health":
      return Response.json({
        status: "ok",
        prices: [...desk.store.newestFirst("price")].filter((price) => price.active).length,
      });
    case "/control/events": {
      const ids: string[] = [];
      for (const event of desk.store.newestFirst("event")) if (ids.push(event.id) === EVENTS_SHOWN) break;
      return Response.json({ events: eventsWithDeliveries(desk, ids) });
    }
    default:
      throw unknownUrl("GET", pathname);
  }
}

export const eventsWithDeliveries = (desk: Desk, ids: string[]) =>
  ids
    .map((id) => desk.store.find("event", id))
    .filter((event) => event !== null)
    .map(({ id, type, created }) => ({ id, type, created, deliveries: desk.courier.attemptsOf(id) }));

function carryOut(desk: Desk, origin: string, order: Order): Done<object> {
  switch (order.kind) {
    case "clock": {
      const { events } = desk.advance({ origin }, Math.round(order.advanceDays * SECONDS_PER_DAY));
      return { result: { now: desk.clock.now() }, events };
    }
    case "disorder": {
      const { result, events } = desk.act({ origin }, (books): Disorder => {
        setDisorder(books.store, order.disorder);
        return order.disorder;
      });
      return { result: { disorder: result }, events };
    }
    case "checkout": {
      const { result, events } = desk.act({ origin }, (books) =>
        bringAbout(books, demand(books, "checkout_session", order.session), order.outcome),
      );
      const { id, status, payment_status } = result;
      return {
        result: {
          session: { id, status, payment_status },
          redirect: order.outcome === "cancelled" ? result.cancel_url : whereTo(result),
        },
        events,
      };
    }
  }
}

/** Drives a session as a person on its page would. One whose bank debit is under way can be paid or declined too. */
function bringAbout(
  books: Books,
  session: Stripe.Checkout.Session,
  outcome: Extract<Order, { kind: "checkout" }>["outcome"],
): Stripe.Checkout.Session {
  const progress = progressOf(books, session);
  if (progress.bank_debit_end !== null && outcome === "paid") return settleDebit(books, session, "succeeds");
  if (progress.bank_debit_end !== null && outcome === "declined") return settleDebit(books, session, "fails");
  switch (outcome) {
    case "paid":
      return progress.card_awaiting_action === null
        ? payByCard(books, session, testCard("4242424242424242"))
        : answerBank(books, session, true);
    case "declined":
      return payByCard(books, session, testCard("4000000000000002"));
    case "action":
      return payByCard(books, session, testCard("4000002500003155"));
    case "processing":
      return payByBank(books, session, "succeeds");
    case "expired":
      return expireSession(books, session);
    case "cancelled":
      // The person goes back. Nothing happens at Stripe: the session stays open.
      return session;
  }
}

function testCard(number: string): TestCard {
  const card = cardByNumber(number);
  if (card === null) throw invalid(`No such test card: ${number}`);
  return card;
}
