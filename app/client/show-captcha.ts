/** What a page gets to show a captcha with. */
export type ShownCaptcha = {
  script: string;
  siteKey: string;
  /** The form, by which the company counts and the server checks. */
  action: string;
};

/** The part of Turnstile's script that is used: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/. */
type Turnstile = { render: (place: HTMLElement, options: Record<string, unknown>) => void };

declare global {
  var turnstile: Turnstile | undefined;
}

/** Narrower than this, the widget has another shape: its flexible size has this least width. */
const flexibleWidthMin = 300;

/**
 * Loads the company's script, which shows its widget in `place` and adds a field with the token to the form around it. `setBroken`: whether
 * it failed last, which it may repair.
 */
export function showCaptcha(
  place: HTMLElement,
  { script, siteKey, action }: ShownCaptcha,
  setBroken: (isBroken: boolean) => void,
): void {
  const { lang, dataset } = document.documentElement;
  const fail = () => {
    setBroken(true);
    // Handled: otherwise it throws.
    return true;
  };
  const render = () => {
    // React runs an effect twice during development.
    if (place.hasChildNodes()) return;
    globalThis.turnstile?.render(place, {
      sitekey: siteKey,
      action,
      "response-field-name": "captcha",
      theme: dataset["theme"] ?? "auto",
      language: lang,
      size: place.clientWidth < flexibleWidthMin ? "compact" : "flexible",
      callback: () => setBroken(false),
      "error-callback": fail,
      "unsupported-callback": fail,
    });
  };
  const element = document.createElement("script");
  Object.assign(element, { src: script, onload: render, onerror: fail });
  document.head.appendChild(element);
}
