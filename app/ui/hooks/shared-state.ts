import { useSyncExternalStore } from "react";

/** State that the whole page shares and no component owns. Returns how to read it and how to change it. It is empty on the server. */
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
