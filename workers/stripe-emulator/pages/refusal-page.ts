import type { StripeRefusal } from "../stripe-errors.ts";
import { html, page } from "./html.ts";

export const refusalPage = (refusal: StripeRefusal, back: string, words: string): Response =>
  page(
    "Not possible",
    html`<h1>That isn't possible</h1>
      <p>${refusal.message}</p>
      <p><a href="${back}">${words}</a></p>`,
    { status: refusal.status },
  );
