import type { Route } from "./+types/route";

/** The page's data. */
export type ReferralPage = Route.ComponentProps["loaderData"];
