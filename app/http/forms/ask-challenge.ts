import { data, type RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import type { Proof } from "#app/core/challenge.ts";
import { refusalMessages } from "./form-refusal.messages.ts";
import type { ChallengeRefusal } from "./is-challenge-wanted.ts";
import { sentField } from "./read-form.ts";
import { sayWait } from "./refuse-until.ts";

/** The field with the answer to a challenge, as it was sent. No schema has it, and forms that repeat the fields repeat it. */
export function sentAnswer({ challenge }: Pick<App, "challenge">, context: Readonly<RouterContextProvider>) {
  const answer = challenge && sentField(context, challenge.field);
  return answer ? { [challenge.field]: answer } : {};
}

/** What the sent answer proves. The provider is asked only about an answer, and only a suspicious form's page has one. */
export async function proveHuman(
  { challenge }: Pick<App, "challenge">,
  form: string,
  answer: Readonly<Record<string, string>>,
): Promise<Proof> {
  if (challenge === null) return "off";
  const sent = answer[challenge.field];
  return sent === undefined ? "missing" : challenge.check(sent, form);
}

/** The challenge's part of a form's answer: which form asks, what is known of whoever sent it, and what was typed. */
type Asked = {
  form: string;
  proof: Proof;
  typed: Record<string, string | undefined>;
};

/**
 * Answers 429 with what was typed in the form, and with a challenge that lets it through. The header says when the form would be accepted
 * without one. Only this page may load it.
 */
export function askChallenge(
  { challenge, embeds, clock }: Pick<App, "challenge" | "embeds" | "clock">,
  refusal: { retryAt: number },
  { form, proof, typed }: Asked,
) {
  const waiting = sayWait({ reason: "challenge-wanted" as const, retryAt: refusal.retryAt }, clock());
  const shown = challenge?.show({ form, proof, wait: refusalMessages.en.wait(waiting.seconds) });
  if (challenge) embeds.push(challenge.embed);
  const filled = Object.entries(typed).filter((field): field is [string, string] => field[1] !== undefined);
  const wanted: ChallengeRefusal = {
    ...waiting,
    text: shown?.why ?? waiting.text,
    typed: Object.fromEntries(filled),
    challenge: { feature: challenge?.feature ?? "", field: { ...shown?.field, withoutScript: waiting.text } },
  };
  return data(wanted, { status: 429, headers: { "Retry-After": String(waiting.seconds) } });
}
