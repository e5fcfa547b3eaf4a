import type { Messages } from "#app/core/messages.ts";
import type { sayExcess } from "../say-excess.ts";

/** Chosen on the server, so that the browser doesn't load what most plans don't need. */
const en = {
  /** `label`: null for devices. */
  excess: (free: string, { label, used, limit }: ReturnType<typeof sayExcess>) =>
    `${label ?? "Devices"}: you use ${used}, and ${free} includes ${limit}.`,
};

export const planAheadMessages: Messages<typeof en> = { en };
