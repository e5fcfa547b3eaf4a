import { emailLimitsOf } from "#app/modules/catalogue/email-limits.rules.ts";
import { sendsOnlyWithChallenge } from "#app/modules/accounts/codes/challenge.rules.ts";
import { declarationsOfOwnerMax } from "#app/modules/accounts/codes/declaration-quotas.rules.ts";
import {
  sendsFromNetworkMax,
  sendsPer48Max,
  sendsPerHourMax,
  sendsPerNetworkMax,
} from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { streakPauseMs, triesPerCodeMax, triesPerHourMax, wrongStreakMax } from "#app/modules/accounts/codes/rules.ts";
import { hourMs } from "#app/core/time/time.ts";
import { type Page, section, table } from "../markdown.ts";

/** What the quotas leave to an attacker, and to everyone else. */
export function quotasPage(): Page {
  const { strangersPerHour } = emailLimitsOf({});
  const networksForMailbox = Math.ceil(sendsPerHourMax / sendsFromNetworkMax);
  const networksForSite = Math.ceil(strangersPerHour / sendsPerNetworkMax);
  return {
    file: "quotas.md",
    title: "What an attacker can do",
    about: [
      "What someone can do to others with a number of networks, and what is left to those. A network is an IPv4 address or, of IPv6, a /48: whatever",
      "one connection can change at will. All limits are per hour, so whoever wants the effect to last pays for it every hour. With a challenge, the last",
      `${sendsOnlyWithChallenge === 1 ? "email" : `${sendsOnlyWithChallenge} emails`} to a mailbox, and three quarters of a network's and of all strangers' emails, cost a solution each.`,
    ].join("\n"),
    sections: [
      table(
        ["to", "takes", "and leaves"],
        [
          [
            "keep one person from getting codes in a browser that is new to them",
            `${networksForMailbox} networks: a mailbox gets ${sendsPerHourMax} emails an hour, of which one network can cause ${sendsFromNetworkMax}`,
            `browsers that signed in to the address before, which have ${sendsPerHourMax} of their own, and passkeys`,
          ],
          [
            "the same, on the network that the person uses, too",
            `that network, and ${sendsFromNetworkMax} emails`,
            "another network, such as a phone's; known browsers; passkeys",
          ],
          [
            "keep them from entering codes in such a browser",
            `the network that the person uses, and ${triesPerHourMax} wrong codes from it; after ${wrongStreakMax} in a row, for ${streakPauseMs / hourMs} hours`,
            "codes that another network asks for; known browsers; passkeys. The owner is emailed about the pause",
          ],
          [
            "guess a code",
            `luck: ${sendsPerHourMax * triesPerCodeMax} guesses an hour among a hundred million, from any number of networks, since a code takes ${triesPerCodeMax} and a mailbox gets ${sendsPerHourMax}`,
            "the owner with the emails about it",
          ],
          [
            "fill a mailbox",
            `any number of networks: it gets ${sendsPerHourMax} emails an hour that strangers cause, and ${sendsPerHourMax} about declarations`,
            "everything that its owner does in a known browser",
          ],
          [
            "keep someone from declaring a withdrawal or a cancellation",
            `their own network, and ${sendsPerNetworkMax} declarations an hour from it (${sendsPer48Max} from a /48)`,
            `every other network; a signed-in owner has ${declarationsOfOwnerMax} of their own`,
          ],
          [
            "delay the confirmation of a declaration",
            `${networksForMailbox} networks: each ${sendsPerHourMax} declarations with that address, before it, delay it by an hour`,
            "the declaration, which counts from when it arrived; a signed-in owner's confirmation",
          ],
          [
            "stop sign-up, and other forms that need no account",
            `${networksForSite} networks, ${sendsPerNetworkMax} emails each, if \`strangersPerHour\` is ${strangersPerHour.toLocaleString("en")}`,
            "codes of every account and all emails about plans; confirmations of declarations wait",
          ],
          [
            "use up the email service's quota",
            `${networksForSite} networks for the strangers' part; beyond it, addresses of customers, each for ${sendsPerHourMax} emails an hour`,
            "codes, which go first as soon as the service takes an email; everything else waits",
          ],
        ],
      ),
      section(
        "Where the numbers are",
        [
          "`email-quotas.rules.ts`, `declaration-quotas.rules.ts`, `challenge.rules.ts` and `rules.ts` in `app/modules/accounts/codes`; `emailLimits` in",
          "`app/product/config.ts`. [Decisions](../decisions/quotas.md) say why they are as they are, [accounts](../guides/accounts.md#codes-and-quotas) how they count.",
        ].join("\n"),
      ),
    ],
  };
}
