/**
 * Where extensions or translators have changed a page before it is hydrated, React renders the whole document anew. What the user did in the
 * meantime is then in elements that are gone: it is carried over from them.
 */
import { fingerprintNodes } from "./fingerprint.ts";

/** The page that is being hydrated, and what had the focus. */
let found: { nodes: Node[]; touchable: Element[]; focused: Element | null } | null = null;
let focusedAnew: HTMLElement | null = null;

/** What a user can change or focus before the scripts run. */
function listTouchable(): Element[] {
  return [...document.querySelectorAll("input, select, textarea, details, summary, button, a")];
}

/** Called while the document is rendered, in the task that may replace its elements: they keep what was typed into them, but not the focus. */
export function noteFound(): void {
  found = { nodes: [...document.body.childNodes], touchable: listTouchable(), focused: document.activeElement };
}

/** React's handler of errors that it recovers from: the new elements exist, and no effect has run yet. */
export function onRecoverableError(error: unknown): void {
  const isForeign = found !== null && isMismatch(error) && isChanged(found.nodes);
  if (found) carryOver(found);
  // As React does by itself.
  if (!isForeign) reportError(error);
}

/** Called after every effect of the page, which may have moved the focus. */
export function endHydration(): void {
  if (focusedAnew !== document.activeElement) focusedAnew?.focus({ preventScroll: true });
  found = focusedAnew = null;
}

/** React found another page than it renders itself (https://react.dev/errors/418): a bug of ours, unless the server sent another page, too. */
function isMismatch(error: unknown): boolean {
  return error instanceof Error && /^Minified React error #418;|^Hydration failed because /.test(error.message);
}

/** Something else than the server and the user changed the page. Unknown where errors aren't reported. */
function isChanged(nodes: Node[]): boolean {
  const sent = document.querySelector<HTMLElement>("script[data-fingerprint]")?.dataset["fingerprint"];
  return sent !== undefined && sent !== fingerprintNodes(nodes);
}

function carryOver({ touchable, focused }: { touchable: Element[]; focused: Element | null }): void {
  const anew = new Map<string, Element[]>();
  for (const element of listTouchable()) anew.set(nameOf(element), [...(anew.get(nameOf(element)) ?? []), element]);
  for (const element of touchable) {
    const successor = anew.get(nameOf(element))?.shift();
    if (successor === undefined || successor === element) continue;
    carryState(element, successor);
    if (element === focused && successor instanceof HTMLElement) carryFocus(element, successor);
  }
}

/** The same for an element and its successor, which is told from others of that name by its place among them. */
function nameOf(element: Element): string {
  const own = ["name", "href"].map((attribute) => element.getAttribute(attribute));
  if (element.matches("button, [type=checkbox], [type=radio]")) own.push(element.getAttribute("value"));
  // What has no name is told from extensions' own elements by its class.
  return [element.localName, ...own, own.some(Boolean) ? "" : element.className].join("\n");
}

/** Only what differs from the page's own: the server's values are there already. */
function carryState(from: Element, to: Element): void {
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) {
    if (from.value !== from.defaultValue) to.value = from.value;
    if (from.checked !== from.defaultChecked) to.checked = from.checked;
  } else if (from instanceof HTMLTextAreaElement && to instanceof HTMLTextAreaElement) {
    if (from.value !== from.defaultValue) to.value = from.value;
  } else if (from instanceof HTMLSelectElement && to instanceof HTMLSelectElement) {
    to.selectedIndex = from.selectedIndex;
  } else if (from instanceof HTMLDetailsElement && to instanceof HTMLDetailsElement) {
    to.open = from.open;
  }
}

function carryFocus(from: Element, to: HTMLElement): void {
  focusedAnew = to;
  to.focus({ preventScroll: true });
  if (!isText(from) || !isText(to) || from.selectionStart === null) return;
  to.setSelectionRange(from.selectionStart, from.selectionEnd, from.selectionDirection ?? undefined);
}

/** Fields of addresses and numbers have no selection that scripts can read. */
function isText(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
