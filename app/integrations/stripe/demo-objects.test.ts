import { expect, test } from "vitest";
import { namesDemoObject } from "./demo-objects.ts";

const api = "https://api.stripe.com/v1";

test.each([
  ["in the path", `${api}/invoices/in_demo_abc/pay`, ""],
  ["in the query", `${api}/invoices?customer=cus_demo_abc&limit=100`, undefined],
  ["in the body", `${api}/billing_portal/sessions`, "customer=cus_demo_abc&return_url=https%3A%2F%2Fsite.example"],
])("an object of the demo is recognised %s", (_, url, body) => expect(namesDemoObject(url, body)).toBe(true));

test.each([
  ["another object", `${api}/invoices/in_abc/pay`, ""],
  ["an address that begins like a demo's id", `${api}/customers/cus_abc`, "email=a_demo_b%40people.example"],
])("%s isn't one", (_, url, body) => expect(namesDemoObject(url, body)).toBe(false));
