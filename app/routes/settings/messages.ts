import type { Messages } from "#app/core/messages.ts";

const en = {
  label: "Settings",
  you: "Account",
  overview: "Overview",
  profile: "Profile",
  security: "Security",
  notifications: "Notifications",
  data: "Your data",
  devices: "Devices and licence",
  preferences: "Preferences",
  money: "Billing",
  plan: "Plan",
  upgrade: "Change plan",
  choose: "Choose a plan",
  orders: "Orders",
  referral: "Invite friends",
  due: {
    title: (isLocked: boolean) => (isLocked ? "Your plan is locked" : "A payment for your plan failed"),
    text: (isLocked: boolean, until: string, lockedMeans: string) =>
      isLocked
        ? `${lockedMeans} Pay to unlock your plan.`
        : `Everything works as usual until ${until}. Pay by then to avoid losing access.`,
    link: "Pay or change card",
  },
};

export const settingsMessages: Messages<typeof en> = { en };
