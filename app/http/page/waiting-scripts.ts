import { fingerprintHtml } from "#app/client/fingerprint.ts";

/**
 * Pages are complete without their scripts, and React puts their preloads first in the head, before the styles. So scripts wait until the
 * page has been painted: on a slow connection they would compete with visible content.
 * The page's fingerprint tells our errors from those of extensions; pages are the same whether errors are reported or not.
 */
export function withWaitingScripts(html: string, nonce: string): string {
  const script = `<script nonce="${nonce}" type=`;
  if (!html.includes(`${script}"module"`)) return html;
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace(`${script}"module"`, `${script}"later"`)
    .replace(
      "</body>",
      `<script nonce="${nonce}" data-fingerprint="${fingerprintHtml(html)}">${startLater}</script></body>`,
    );
}

/** No frame is rendered before the styles have loaded, nor in a background tab; code after the frame runs after the first paint. */
const startLater = `(() => {
  const start = () => {
    for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";
    const waiting = document.querySelector("script[type=later]");
    const script = document.createElement("script");
    Object.assign(script, { type: "module", nonce: waiting.nonce, text: waiting.text });
    waiting.replaceWith(script);
  };
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
})()`.replaceAll(/\s+/g, " ");
