import { dayMs, formatSpan } from "#app/core/time/time.ts";
import { usageRetentionMs } from "#app/modules/billing/usage/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import { seatNoticeMs } from "./seats.rules.ts";

type DeviceActivity =
  | "licence-key-shown"
  | "licence-key-rotated"
  | "device-added"
  | "device-removed"
  | "device-renamed";

const en = {
  pages: {
    account: {
      menu: "Devices and licence",
      brief: (count: number) =>
        `${count === 0 ? "No devices" : count === 1 ? "1 device" : `${count} devices`}, licence key`,
    },
  },
  flashes: {
    "key-rotated":
      "Here's your new licence key. The old key no longer works. Devices you've already activated aren't affected.",
    "device-removed": "Device removed.",
    "device-renamed": "Name saved.",
  },
  activities: {
    did: {
      "licence-key-shown": "Licence key shown",
      "licence-key-rotated": "Licence key replaced",
      "device-added": "Device added",
      "device-removed": "Device removed",
      "device-renamed": "Device renamed",
    } satisfies Record<DeviceActivity, string>,
    tried: {
      "licence-key-shown": "Tried to see the licence key",
      "licence-key-rotated": "Tried to replace the licence key",
      "device-added": "Tried to add a device",
      "device-removed": "Tried to remove a device",
      "device-renamed": "Tried to rename a device",
    } satisfies Record<DeviceActivity, string>,
    reasons: {
      "device-unknown": "no such device",
      "plan-required": "no plan",
      "seats-full": "device limit reached",
      "activations-used-up": "too many new devices in a short time",
    },
  },
  data: { exported: ["devices"], erased: ["devices"] },
  ofAccount: [
    `For each device you activate, we store its name, its system, when it last connected, and the usage it reports against the limits of your plan. We delete the highest values of past months after ${formatSpan(usageRetentionMs)}.`,
  ],
  counted: {
    label: "Devices",
    excess: (plan: string, used: string, limit: string) =>
      `Devices: ${used} now, ${limit} at most on ${plan}. You'll have ${seatNoticeMs / dayMs} days to choose which ${limit === "1" ? "one" : "ones"} to keep.`,
    overTitle: "You have too many devices",
    over: (used: number, plan: string, of: number, until: string | null) =>
      `You have ${used} devices, but ${plan} includes ${of}. Choose which ${of === 1 ? "one" : "ones"} to keep${until === null ? "" : ` by ${until}`}, or we'll remove those used least recently.`,
    choose: "Choose what to keep",
    idleTitle: "Your devices need a plan",
    idle: (used: number, product: string) =>
      `${product} won't work on your ${used === 1 ? "device" : `${used} devices`} until you choose a plan.`,
  },
};

export const devicesFeatureMessages: Messages<typeof en> = { en };

declare module "#app/http/page/flash.messages.ts" {
  interface Flashes {
    "key-rotated": string;
    "device-removed": string;
    "device-renamed": string;
  }
}

declare module "#app/modules/accounts/activities.rules.ts" {
  interface FeatureActivities extends Record<DeviceActivity, true> {}
}
