import type { ShownRequest } from "./show-request.server.ts";

export type Page = Extract<ShownRequest, { kind: "here" }> & {
  support: string;
  sender: string;
  filledIn: string | null;
  now: number;
};
