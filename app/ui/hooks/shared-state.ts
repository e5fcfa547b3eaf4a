import { useSyncExternalStore } from "react";

/** State shared by the whole page and owned by no component: how to read and change it. Empty on the server. */
export function sharedState<Value>(): [use: () => Value | null, change: (next: Value | null) => void] {
  let now: Value | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (listen: () => void) => {
    listeners.add(listen);
    return () => listeners.delete(listen);
  };
  const change = (next: Value | null) => {
    now = next;
    for (const listen of listeners) listen();
  };
  return [() => useSyncExternalStore(subscribe, () => now, nothing), change];
}

const nothing = () => null;
