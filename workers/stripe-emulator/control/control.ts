import { driveCheckout } from "./control-checkout.ts";
import { cancelPlan, disputeOrder, endDebit, holdCharges, refundOrder, renewCardOf } from "./control-money.ts";
import { readOrder } from "./control-orders.ts";
import type { Order } from "./control-wishes.ts";
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
export async function answerControl(desk: Account, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
  try {
    if (request.method === "GET") return answerQuestion(desk, url);
    const order = readOrder(url.pathname, isForm ? Object.fromEntries(await request.formData()) : await request.json());
    const { result, events } = carryOut(desk, url.origin, order);
    if (isForm) return Response.redirect(new URL(`/control?done=${order.kind}#done`, url).href, 303);
    await desk.dispatcher.settle(events);
    return Response.json({ ...result, events: eventsWithDeliveries(desk, events) });
  } catch (error) {
    if (error instanceof SyntaxError) return errorResponse(invalid("The body is not JSON."));
    if (!(error instanceof StripeRefusal)) throw error;
    return isForm ? refusalPage(error, "/control", "Back to the control page") : errorResponse(error);
  }
}

function answerQuestion(desk: Account, { pathname, searchParams }: URL): Response {
  switch (pathname) {
    case "/control":
      return controlPage(desk, searchParams.get("done"));
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

const eventsWithDeliveries = (desk: Account, ids: string[]) =>
  ids
    .map((id) => desk.store.find("event", id))
    .filter((event) => event !== null)
    .map(({ id, type, created }) => ({ id, type, created, deliveries: desk.dispatcher.attemptsOf(id) }));

function carryOut(desk: Account, origin: string, order: Order): Done<object> {
  switch (order.kind) {
    case "clock": {
      const { events } = desk.advance({ origin }, Math.round(order.advanceDays * SECONDS_PER_DAY));
      return { result: { now: desk.clock.now() }, events };
    }
    case "clock-start":
      return desk.act({ origin }, ({ store, clock }) => {
        if (!store.isEmpty()) throw invalid("The clock can start in the past only before anything has happened.");
        clock.startAgo(Math.round(order.startDaysAgo * SECONDS_PER_DAY));
        return { now: clock.now() };
      });
    case "checkout":
      return desk.act({ origin }, (books) => driveCheckout(books, order));
    case "refund":
      return desk.act({ origin }, (books) => refundOrder(books, order));
    case "dispute":
      return desk.act({ origin }, (books) => disputeOrder(books, order));
    case "card":
      return desk.act({ origin }, (books) => renewCardOf(books, order));
    case "debit":
      return desk.act({ origin }, (books) => endDebit(books, order));
    case "hold":
      return desk.act({ origin }, (books) => holdCharges(books, order));
    case "portal":
      return desk.act({ origin }, (books) => ({ configuration: saveDefaultConfiguration(books) }));
    case "cancel":
      return desk.act({ origin }, (books) => cancelPlan(books, order));
    case "disorder":
      return desk.act({ origin }, (books) => {
        setDisorder(books.store, order.disorder);
        return { disorder: order.disorder };
      });
    case "resend":
      desk.resend({ origin }, order.event);
      return { result: {}, events: [order.event] };
    case "secret":
      return desk.act({ origin }, () => desk.rollSecret(order.keepHours));
  }
}
