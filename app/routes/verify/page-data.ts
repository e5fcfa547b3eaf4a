import type { ShownRequest } from "#app/modules/passkeys/reads/show-request.server.ts";

export type Page = Extract<ShownRequest, { kind: "here" }> & {
  support: string;
  sender: string;
  filledIn: string | null;
  now: number;
};
