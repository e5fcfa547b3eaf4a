import type { Messages } from "#app/core/messages.ts";

const en = {
  label: "Settings",
  you: "You",
  overview: "Overview",
  devices: "Devices and licence",
  preferences: "Preferences",
  money: "Money",
  plan: "Plan",
  upgrade: "Change plan",
  choose: "Choose a plan",
  orders: "Orders",
  referral: "Invite friends",
  due: {
    title: "A payment of your plan did not go through",
    text: (isLocked: boolean, until: string, lockedMeans: string) =>
      isLocked
        ? `Your plan is locked. ${lockedMeans} Paying unlocks it.`
        : `Everything works until ${until}; pay before then, and nothing changes.`,
    link: "Pay or change the card",
  },
};

export const settingsMessages: Messages<typeof en> = { en };
