import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { type OfferRefusal, offerRefusalMessages } from "./messages.ts";

export type ShownOfferRefusal = OfferRefusal & { text: string };

export function sayOfferRefusal(refusal: OfferRefusal): ShownOfferRefusal {
  const { en: messages } = offerRefusalMessages;
  const text =
    refusal.reason === "too-many-requests"
      ? messages[refusal.reason](refusalMessages.en.wait(refusal.seconds))
      : messages.refusals[refusal.reason];
  return { ...refusal, text };
}
