import { StripeRefusal } from "../http/stripe-errors.ts";
import { answerCheckout } from "./checkout.ts";
import { deskPage } from "./desk-page.ts";
import { html, page } from "./html.ts";
import { answerInvoice } from "./invoice.ts";
import { answerPortal } from "./portal.ts";
import { refusalPage } from "./refusal-page.ts";
import { STYLE } from "./style.ts";
import type { Account } from "../account.ts";

/** The HTML pages. None needs a script; every form is answered by a redirect. */
export async function answerPage(desk: Account, request: Request): Promise<Response> {
  const [, room, id, step] = new URL(request.url).pathname.split("/");
  try {
    if (room === "local-stripe.css")
      return new Response(STYLE, {
        headers: { "content-type": "text/css; charset=utf-8", "cache-control": "max-age=60" },
      });
    if (room === "" && request.method === "GET") return deskPage(desk);
    if (room === "checkout" && id !== undefined) return await answerCheckout(desk, request, id, step);
    if (room === "invoices" && id !== undefined) return await answerInvoice(desk, request, id, step);
    if (room === "portal" && id !== undefined) return await answerPortal(desk, request, id, step);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return refusalPage(error, "/", "To the desk");
  }
  return page(
    "Not found",
    html`<h1>There is no such page</h1>
      <p><a href="/">To the desk</a></p>`,
    { status: 404 },
  );
}
