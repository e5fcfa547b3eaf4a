import type { Route } from "./+types/route";

export type UpgradePage = Route.ComponentProps["loaderData"];
/** The page of a customer with an active plan. */
export type RunningUpgradePage = UpgradePage & {
  running: NonNullable<UpgradePage["running"]>;
  current: NonNullable<UpgradePage["current"]>;
};
