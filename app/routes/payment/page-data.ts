import type { Route } from "./+types/route";

/** What the page knows of the payment that it is about. */
export type PaymentFacts = NonNullable<Route.ComponentProps["loaderData"]["payment"]>;
