import { verifyMessages } from "#app/routes/verify/messages.ts";
import { anyNumbersIn } from "#tests/support/clients/message-patterns.ts";

const { timeLeft } = verifyMessages.en;

/** How long a code is valid, wherever a page says so. */
const remainingTimes = [timeLeft(599), timeLeft(59)].map((message) => anyNumbersIn(message).source);

/** For pages that are compared: they are equal but for the seconds between them. */
export function withoutRemainingTimes(html: string): string {
  return html.replaceAll(new RegExp(remainingTimes.join("|"), "g"), "…");
}
