import type { Route } from "./+types/route";

export type PaymentFacts = NonNullable<Route.ComponentProps["loaderData"]["payment"]>;
