import { useSyncExternalStore } from "react";

const neverChanges = () => () => {};

/** False on the server and during hydration, true afterwards: for what only works with a script. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
