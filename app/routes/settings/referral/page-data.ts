import type { Route } from "./+types/route";

export type ReferralPage = Route.ComponentProps["loaderData"];
