import type { Route } from "./+types/route";

/** What the page knows. */
export type ReferralPage = Route.ComponentProps["loaderData"];
