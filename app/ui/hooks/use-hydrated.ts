import { useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/** False on the server and while the page comes alive, true from then on: for what only works with a script. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
