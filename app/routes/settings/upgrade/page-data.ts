import type { Route } from "./+types/route";

/** The page's data. */
export type UpgradePage = Route.ComponentProps["loaderData"];
/** The same with an active plan. */
export type RunningUpgradePage = UpgradePage & {
  running: NonNullable<UpgradePage["running"]>;
  current: NonNullable<UpgradePage["current"]>;
};
