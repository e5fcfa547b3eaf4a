import type Stripe from "stripe";
import type { Details } from "../actions/payments/collect-details.ts";
import { readTaxId } from "../money/read-tax-id.ts";
import { html, type Markup, when } from "./html.ts";

const LENGTH_MAX = 200;

/** Name and address, as checkout and portal ask for them. Countries have two letters, as in Stripe's API. */
export const addressFields = (name: string | null, address: Stripe.Address | null): Markup => html`
  ${field("name", "Name or company", name, { isRequired: true })}
  ${field("line1", "Street and number", address?.line1, { isRequired: true })}
  ${field("line2", "Second line, if there is one", address?.line2)}
  <div class="pair">
    ${field("postal_code", "Postal code", address?.postal_code, { isRequired: true })}
    ${field("city", "City", address?.city, { isRequired: true })}
  </div>
  <div class="pair">
    ${field("state", "State, if any", address?.state)}
    ${field("country", "Country, two letters", address?.country, { isRequired: true, lengthMax: 2 })}
  </div>
`;

/** Where no address is required: the name on the card, or the business that a VAT id belongs to. */
export const payerField = (name: string | null): Markup => field("name", "Name, or your business's name", name);

export const taxIdField = (label: string): Markup => field("tax_id", label, "");

const field = (
  name: string,
  label: string,
  value: string | null | undefined,
  { isRequired = false, lengthMax = LENGTH_MAX } = {},
): Markup =>
  html`<div class="field">
    <label for="${name}">${label}</label
    ><input
      id="${name}"
      name="${name}"
      value="${value ?? ""}"
      maxlength="${lengthMax}"
      autocomplete="off"
      ${when(isRequired, "required")}
    />
  </div>`;

type DetailsProblem = "name" | "business" | "address" | "country" | "tax-id";

export const DETAILS_PROBLEMS: Record<DetailsProblem, string> = {
  name: "The invoice needs a name.",
  business: "A VAT id needs the name of the business that it belongs to.",
  address: "The address needs a street, a postal code and a city.",
  country: "The country is written with two letters, like IE or DE.",
  "tax-id": "This is no VAT id. Write it with its country in front, like DE123456789.",
};

/** The details a customer typed, as far as they were requested, or what is wrong with them. */
export function readDetails(
  fields: FormData,
  asks: { address: boolean; taxId: boolean },
): Details | { problem: DetailsProblem } {
  const text = (name: string): string =>
    String(fields.get(name) ?? "")
      .trim()
      .slice(0, LENGTH_MAX);
  const country = text("country").toUpperCase();
  if (asks.address) {
    if (text("name") === "") return { problem: "name" };
    if (["line1", "postal_code", "city"].some((name) => text(name) === "")) return { problem: "address" };
    if (!/^[A-Z]{2}$/.test(country)) return { problem: "country" };
  }
  const taxId = asks.taxId ? readTaxId(text("tax_id")) : null;
  if (asks.taxId && taxId === null && text("tax_id") !== "") return { problem: "tax-id" };
  // Stripe requires both once a customer says that a business buys.
  if (asks.address === false && taxId !== null && text("name") === "") return { problem: "business" };
  const orNull = (name: string): string | null => (text(name) === "" ? null : text(name));
  return {
    name: text("name"),
    address: asks.address
      ? {
          city: text("city"),
          country,
          line1: text("line1"),
          line2: orNull("line2"),
          postal_code: text("postal_code"),
          state: orNull("state"),
        }
      : null,
    taxId,
  };
}
