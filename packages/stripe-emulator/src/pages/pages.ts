import { StripeRefusal } from "../http/stripe-errors.ts";
import { answerCheckout } from "./checkout.ts";
import { homePage } from "./home-page.ts";
import { html, page } from "./html.ts";
import { answerInvoice } from "./invoice.ts";
import { mailboxPage } from "./mailbox.ts";
import { answerPortal } from "./portal.ts";
import { refusalPage } from "./refusal-page.ts";
import { STYLE } from "./style.ts";
import type { Account } from "../account.ts";

/** The HTML pages. None needs a script; every form is answered by a redirect. */
export async function answerPage(account: Account, request: Request): Promise<Response> {
  const [, section, id, step] = new URL(request.url).pathname.split("/");
  try {
    if (section === "local-stripe.css")
      return new Response(STYLE, {
        headers: { "content-type": "text/css; charset=utf-8", "cache-control": "max-age=60" },
      });
    if (section === "" && request.method === "GET") return homePage(account);
    if (section === "mailbox" && request.method === "GET") return await mailboxPage(account.siteOrigin, request);
    if (section === "checkout" && id !== undefined) return await answerCheckout(account, request, id, step);
    if (section === "invoices" && id !== undefined) return await answerInvoice(account, request, id, step);
    if (section === "portal" && id !== undefined) return await answerPortal(account, request, id, step);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return refusalPage(error, "/", "To the home page");
  }
  return page(
    "Not found",
    html`<h1>There is no such page</h1>
      <p><a href="/">To the home page</a></p>`,
    { status: 404 },
  );
}
