import {
  cardByNumber,
  cardByWallet,
  type Expiry,
  isPast,
  readExpiry,
  TEST_CARDS,
  type TestCard,
  WALLET_CARDS,
} from "../money/cards.ts";
import { html, type Markup } from "./html.ts";

type CardProblem = "number" | "expiry";

export const CARD_PROBLEMS: Record<CardProblem, string> = {
  number: "This is not one of Stripe's test cards. Take one of the numbers below.",
  expiry: "This is no date in the future. Write month and year, like 12 / 34.",
};

export const CARD_LABELS = { number: "Card number", expiry: "Expires", cvc: "CVC" };

export const cardFields = (): Markup => html`
  <div class="field">
    <label for="number">${CARD_LABELS.number}</label
    ><input
      id="number"
      name="number"
      inputmode="numeric"
      autocomplete="off"
      value="4242 4242 4242 4242"
      maxlength="24"
    />
  </div>
  <div class="pair">
    <div class="field">
      <label for="expiry">${CARD_LABELS.expiry}</label
      ><input id="expiry" name="expiry" value="12 / 34" autocomplete="off" maxlength="9" />
    </div>
    <div class="field">
      <label for="cvc">${CARD_LABELS.cvc}</label
      ><input id="cvc" name="cvc" value="123" inputmode="numeric" autocomplete="off" maxlength="4" />
    </div>
  </div>
`;

export const cardButtons = (): Markup =>
  html`<div class="choices">
    ${TEST_CARDS.map(
      (card) =>
        html`<button name="testCard" value="${card.number}">
          <code>${card.number.replaceAll(/(\d{4})(?=\d)/g, "$1 ")}</code><span>${card.means}</span>
        </button>`,
    )}
  </div>`;

const WALLET_NAMES = { apple_pay: "Apple Pay", google_pay: "Google Pay" };

export const walletButtons = (): Markup =>
  html`<div class="choices">
    ${WALLET_CARDS.map(
      ({ wallet, means }) =>
        wallet !== undefined &&
        html`<button name="testCard" value="${wallet}">
          <span>${WALLET_NAMES[wallet]}</span><span>${means}</span>
        </button>`,
    )}
  </div>`;

/** The typed or selected card, or what is wrong with it. A selected card is valid for years. */
export function readCard(
  fields: FormData,
  now: number,
): { card: TestCard; expiry: Expiry | null } | { problem: CardProblem } {
  const pressed = fields.get("testCard");
  const card = cardByWallet(String(pressed)) ?? cardByNumber(String(pressed ?? fields.get("number") ?? ""));
  if (card === null) return { problem: "number" };
  const typed = fields.get("expiry");
  if (pressed !== null || typed === null) return { card, expiry: null };
  const expiry = readExpiry(String(typed));
  return expiry === null || isPast(expiry, now) ? { problem: "expiry" } : { card, expiry };
}
