import type { Messages } from "#app/core/messages.ts";

const en = {
  label: "Settings",
  you: "You",
  overview: "Account",
  profile: "Profile",
  security: "Security",
  notifications: "Notifications",
  data: "Your data",
  money: "Billing",
  plan: "Plan",
  upgrade: "Change plan",
  choose: "Choose a plan",
  orders: "Orders",
  referral: "Invite friends",
  due: {
    title: (isLocked: boolean) => (isLocked ? "Your plan is locked" : "Your renewal isn't paid yet"),
    titleConfirm: "Confirm your renewal payment",
    text: (isLocked: boolean, until: string, lockedMeans: string) =>
      isLocked
        ? `${lockedMeans} Pay to unlock your plan.`
        : `Everything works as usual until ${until}. If you haven't paid by then, your plan will be locked. ${lockedMeans}`,
    link: "Complete payment",
  },
};

export const settingsMessages: Messages<typeof en> = { en };
