import type { Messages } from "#app/core/messages.ts";

const en = {
  label: "Settings",
  you: "Account",
  overview: "Overview",
  devices: "Devices and licence",
  preferences: "Preferences",
  money: "Billing",
  plan: "Plan",
  upgrade: "Change plan",
  choose: "Choose a plan",
  orders: "Orders",
  referral: "Invite friends",
  due: {
    title: "A payment for your plan failed",
    text: (isLocked: boolean, until: string, lockedMeans: string) =>
      isLocked
        ? `Your plan is locked. ${lockedMeans} Pay to unlock it.`
        : `Everything works as usual until ${until}. Pay by then to avoid losing access.`,
    link: "Pay or change card",
  },
};

export const settingsMessages: Messages<typeof en> = { en };
