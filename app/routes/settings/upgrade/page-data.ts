import type { Route } from "./+types/route";

/** What the page knows. */
export type UpgradePage = Route.ComponentProps["loaderData"];
/** The same while a plan runs. */
export type RunningUpgradePage = UpgradePage & {
  running: NonNullable<UpgradePage["running"]>;
  current: NonNullable<UpgradePage["current"]>;
};
