import type { sayHere } from "./say-request.ts";

export type Page = ReturnType<typeof sayHere> & {
  support: string;
  sender: string;
  /** Of a local run. */
  mailbox: string | null;
  filledIn: string | null;
  now: number;
};
