import { type Button, type Form, formsIn, headingIn, textIn } from "./html.ts";

/** A complete request that isn't sent yet. */
export type Prepared = { method: string; path: string; headers: Record<string, string>; body: string };

/**
 * A browser without JavaScript, as far as journeys need one: it keeps cookies, follows redirects within the site,
 * reads a form from the current page and sends its fields with the Origin that browsers send.
 */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** False for Safari on http. The site then sends it plain cookies, which other browsers don't need. */
  keepsSecureCookies = true;
  /** False for a browser that refuses all cookies. */
  keepsCookies = true;
  private readonly origin: string;
  private readonly ip: string;
  /** Where it is after redirects, and what it sees. */
  url = "";
  status = 0;
  html = "";
  headers = new Headers();
  /** The path of every redirect that was followed, in order. */
  trail: string[] = [];

  constructor(origin: string, ip = "192.0.2.1") {
    this.origin = origin;
    this.ip = ip;
  }

  async open(path: string): Promise<this> {
    return this.go(path, {});
  }

  /** Posts fields to a path, the page's own by default. */
  async post(fields: Record<string, string>, path = this.url): Promise<this> {
    const { body, headers } = this.prepare(fields, path);
    return this.go(path, { method: "POST", body, headers });
  }

  /** What `post` would send, to be sent by other means. */
  prepare(fields: Record<string, string>, path = this.url): Prepared {
    const body = new URLSearchParams(fields).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: this.origin };
    return { method: "POST", path, body, headers: { ...headers, ...this.ownHeaders() } };
  }

  /** Presses the button `label` of a form on the page, with the form's own values and `typed` over them. */
  async press(label: string, typed: Record<string, string> = {}): Promise<this> {
    const { fields, path } = this.fillIn(label, typed);
    return this.post(fields, path);
  }

  /** Submits the form that has this field by its first button, with any label. */
  async submit(field: string, typed: Record<string, string> = {}): Promise<this> {
    const { fields, path } = this.fillInField(field, typed);
    return this.post(fields, path);
  }

  /** The same, to be sent by other means. */
  prepareSubmit(field: string, typed: Record<string, string> = {}): Prepared {
    const { fields, path } = this.fillInField(field, typed);
    return this.prepare(fields, path);
  }

  /** The same, to be sent by other means. */
  preparePress(label: string, typed: Record<string, string> = {}): Prepared {
    const { fields, path } = this.fillIn(label, typed);
    return this.prepare(fields, path);
  }

  /** By the whole label, or else by a part of one: some end in a price or in text for screen readers. */
  private fillIn(label: string, typed: Record<string, string>) {
    const all = this.forms().flatMap((form) => form.buttons.map((button) => ({ form, button })));
    const found =
      all.find(({ button }) => button.label === label) ?? all.find(({ button }) => button.label.includes(label));
    return this.filledIn(found, `button "${label}"`, typed);
  }

  private fillInField(field: string, typed: Record<string, string>) {
    const form = this.forms().find(({ values }) => values[field] !== undefined);
    const [button] = form?.buttons ?? [];
    return this.filledIn(form && button && { form, button }, `form with "${field}"`, typed);
  }

  private filledIn(found: { form: Form; button: Button } | undefined, what: string, typed: Record<string, string>) {
    if (!found) throw new Error(`No ${what} on ${this.url}:\n${this.text().slice(0, 2000)}`);
    const { form, button } = found;
    const pressed: Record<string, string> = button.name ? { [button.name]: button.value } : {};
    return { fields: { ...form.values, ...typed, ...pressed }, path: button.action ?? form.action ?? this.url };
  }

  /** The page's visible text. */
  text(): string {
    return textIn(this.html);
  }

  heading(): string {
    return headingIn(this.html);
  }

  path(): string {
    return this.url.replace(this.origin, "");
  }

  private async go(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<this> {
    this.trail = [];
    let target = new URL(path, this.origin);
    let request = init;
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await this.fetch(target, request);
      const location = response.headers.get("Location");
      if (!location || response.status < 300 || response.status > 399) return this.arrive(target, response);
      target = new URL(location, target);
      this.trail.push(target.href.replace(this.origin, ""));
      await response.body?.cancel();
      if (target.origin !== this.origin) return this.leave(target, response);
      request = {};
    }
    throw new Error(`Too many redirects: ${this.trail.join(" -> ")}`);
  }

  private async fetch(target: URL, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const headers = { ...init.headers, ...this.ownHeaders() };
    const response = await fetch(target, { ...init, headers, redirect: "manual" });
    for (const cookie of this.keepsCookies ? response.headers.getSetCookie() : []) {
      if (cookie.includes("; Secure") !== this.keepsSecureCookies) continue;
      const [pair = ""] = cookie.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (/max-age=0\b/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(name.length + 1));
    }
    return response;
  }

  /** Another tab of the same browser. */
  twin(): Visitor {
    const twin = new Visitor(this.origin, this.ip);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    return twin;
  }

  /** The headers of every request of this browser. */
  ownHeaders(): Record<string, string> {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { "CF-Connecting-IP": this.ip, ...(cookies && { Cookie: cookies }) };
  }

  private async arrive(target: URL, response: Response): Promise<this> {
    this.url = target.href;
    this.status = response.status;
    this.headers = response.headers;
    this.html = await response.text();
    return this;
  }

  /** This browser stops at another site: the test drives that one by its own means. */
  private leave(target: URL, response: Response): this {
    this.url = target.href;
    this.status = response.status;
    this.headers = response.headers;
    this.html = "";
    return this;
  }

  /** The forms of the page, with the values that are filled in already. */
  forms(): Form[] {
    return formsIn(this.html);
  }
}
