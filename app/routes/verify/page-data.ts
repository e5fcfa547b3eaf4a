import type { sayHere } from "./say-request.ts";

export type Page = ReturnType<typeof sayHere> & {
  support: string;
  sender: string;
  filledIn: string | null;
  now: number;
};
