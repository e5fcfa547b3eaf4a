import type { StripeRefusal } from "../http/stripe-errors.ts";
import { html, page } from "./html.ts";

export const refusalPage = (refusal: StripeRefusal, back: string, label: string): Response =>
  page(
    "Not possible",
    html`<h1>That isn't possible</h1>
      <p>${refusal.message}</p>
      <p><a href="${back}">${label}</a></p>`,
    { status: refusal.status },
  );
