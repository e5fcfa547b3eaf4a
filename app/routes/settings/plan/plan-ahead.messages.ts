import type { Messages } from "#app/core/messages.ts";

/** Chosen on the server, so that the browser doesn't load what most plans don't need. */
const en = {
  /** `label`: null for devices. */
  exceeds: (free: string, { label, used, limit }: { label: string | null; used: string; limit: string }) =>
    `${label ?? "Devices"}: you use ${used}, and ${free} includes ${limit}.`,
};

export const planAheadMessages: Messages<typeof en> = { en };
