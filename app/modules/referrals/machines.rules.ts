/**
 * Decides whether nobody sees what a request asks for, such as a preview of a link, or perhaps nobody yet: a page that a browser loads in
 * advance. Invariants: a browser that shows a page is never taken for a machine by what it doesn't send. Called from `commands/record-visit`.
 */

/** Chrome and Firefox send the first, Safari the second, older ones the others, for pages that may never be shown. */
const purposeHeaders = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];
const purposes = /prefetch|prerender|preview/i;

/**
 * What crawlers, link previews and scripts call themselves. WhatsApp's and Viber's previews begin with the messenger's name; its browser,
 * like Telegram's, has it at the end.
 */
const machines =
  /(?<!cu)bot\b|bot[/;_-]|crawl|spider|slurp|preview|externalhit|facebookcatalog|embedly|headless|lighthouse|monitor|^(?:whatsapp|viber)\/|curl|wget|python|java\/|okhttp|go-http-client|axios|node-fetch|libwww|http-?client/i;

export function isMachine({ method, headers }: { method: string; headers: Pick<Headers, "get"> }): boolean {
  if (method === "HEAD") return true;
  return machines.test(headers.get("User-Agent") ?? "");
}

/** The browser may show the page later, without asking for it again. */
export function isInAdvance(headers: Pick<Headers, "get">): boolean {
  return purposeHeaders.some((name) => purposes.test(headers.get(name) ?? ""));
}
