/**
 * Pages are complete without their scripts, and React puts what loads those first in the head, before the styles. So they wait
 * until the page has been painted: on a slow line they would share it with what is to be seen.
 */
export const waitingScripts = new HTMLRewriter()
  .on('link[rel="modulepreload"]', { element: (link) => void link.setAttribute("rel", "later") })
  .on('script[type="module"]', {
    element(script) {
      script.setAttribute("type", "later");
      script.after(`<script nonce="${script.getAttribute("nonce") ?? ""}">${startLater}</script>`, { html: true });
    },
  });

/** No frame is drawn before the styles are there, nor in a tab that nobody sees; what follows it comes after it was painted. */
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
