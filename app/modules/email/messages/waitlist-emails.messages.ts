import type { WaitlistEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const joined =
  "You get this mail because somebody joined the waitlist with this address. If that wasn't you, do nothing.";
const waiting = "You get this mail because you joined the waitlist with this address.";

const en: EmailTextFor<WaitlistEmail> = {
  "waitlist-confirm": (content, { product }) => ({
    subject: `Confirm your place on the ${product} waitlist`,
    heading: "One click, and you have a place",
    before: [`You asked to be told when ${content.what} opens. Confirm that this address is yours:`],
    button: { label: "Confirm my place", url: content.url },
    after: ["The link works for seven days, in any browser. It opens your place on the waitlist and signs nobody in."],
    reason: joined,
  }),
  "waitlist-place": (content, { product }) => ({
    subject: `Your place on the ${product} waitlist`,
    heading: "You are already on the list",
    before: [`This address asked before to be told when ${content.what} opens. Your own page says how things stand:`],
    button: { label: "See my place", url: content.url },
    after: ["The link is yours alone: whoever has it can see your place and leave the waitlist for you."],
    reason: joined,
  }),
  "waitlist-invited": (content, { product }) => ({
    subject: `It is your turn on the ${product} waitlist`,
    heading: "It is your turn",
    before: [`${content.what} is open to you. You can accept until ${content.until}:`],
    button: { label: "See my invitation", url: content.url },
    after: [
      "If you let it go by, the next in line is invited. After two invitations that went by, your place rests until you ask for it again.",
      "The link is yours alone: whoever has it can accept for you, or leave the waitlist.",
    ],
    reason: waiting,
  }),
  "waitlist-reminder": (content, { product }) => ({
    subject: `Your ${product} invitation is about to run out`,
    heading: "Your invitation runs out soon",
    before: [`${content.what} is still open to you, until ${content.until}:`],
    button: { label: "See my invitation", url: content.url },
    after: ["If you don't want it any more, do nothing, or leave the waitlist on the same page."],
    reason: waiting,
  }),
  "waitlist-joined": (content, { product }) => ({
    subject: `You are in: your place on the ${product} waitlist`,
    heading: "You are in",
    before: [`You have ${content.what} now, so your place on the waitlist has done its work.`],
    button: { label: "Open my account", url: content.url },
    after: [],
    reason: `${waiting} It is the last one about it.`,
  }),
  "doors-open": (content, { product }) => ({
    subject: `You need not wait for ${product} any longer`,
    heading: "The doors are open",
    before: [`${content.what} is open to everybody now. You asked to be told:`],
    button: { label: "Start now", url: content.url },
    after: [],
    reason: `${waiting} It is the last one about it.`,
  }),
};

export const waitlistEmails: EmailsOf<WaitlistEmail> = { en };
