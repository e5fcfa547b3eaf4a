import type { Route } from "./+types/route";

/** The page's data about its payment. */
export type PaymentFacts = NonNullable<Route.ComponentProps["loaderData"]["payment"]>;
