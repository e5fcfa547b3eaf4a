import { useSyncExternalStore } from "react";

/** What the whole page knows and no component owns: how to read it, and to change it. On the server there is nothing. */
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
