/** What a page needs to show a captcha. */
type ShownCaptcha = {
  script: string;
  siteKey: string;
  /** The form's name: the provider counts by it, and the server checks it. */
  action: string;
};

/** The part of Turnstile's script that is used: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/. */
type Turnstile = { render: (place: HTMLElement, options: Record<string, unknown>) => void };

declare global {
  var turnstile: Turnstile | undefined;
}

/** The least width of the widget's flexible size. Where there is less room, the widget takes its compact one. */
const flexibleWidthMin = 300;

/**
 * Loads the provider's script, which shows its widget in `place` and adds a field with the token to the form around it. `setBroken` reports
 * whether the widget failed last: it may recover by itself.
 */
export function showCaptcha(
  place: HTMLElement,
  { script, siteKey, action }: ShownCaptcha,
  setBroken: (isBroken: boolean) => void,
): void {
  const { lang, dataset } = document.documentElement;
  const fail = () => {
    setBroken(true);
    // Says that the error is handled; otherwise the script throws it.
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
