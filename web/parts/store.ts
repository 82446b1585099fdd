import {useSyncExternalStore} from 'react';

interface Store<Value> {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  /** Calls the listener after each change. Returns a function that stops it. */
  readonly listen: (listener: () => void) => () => void;
}

/** Creates a value that any module may change, and that components read with `useStore`. */
export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>({listen, get}: Store<Value>): Value {
  return useSyncExternalStore(listen, get);
}
