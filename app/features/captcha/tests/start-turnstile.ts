import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const siteKey = "0x4AAAAAAAtestSiteKey00";
const secretKey = "0x4AAAAAAAtestSecretKey0123456789abcdef";

/** `failing`: a page instead of a verdict; `silent`: nothing; `overloaded`: an error of its own. */
type Mood = "verifying" | "failing" | "silent" | "overloaded" | "redirecting";

/**
 * Turnstile on a socket of its own, as Cloudflare documents it: siteverify
 * (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/), and a script whose widget is a frame and a hidden field
 * (https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/widget-configurations/).
 */
export async function startTurnstile() {
  const used = new Set<string>();
  const calls: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const unanswered: ServerResponse[] = [];
  let mood: Mood = "verifying";
  let minted = 0;

  /** A token as the widget on that host would give it, for a form. */
  const mint = (action: string, hostname = "127.0.0.1", kind: "token" | "expired" = "token") =>
    [kind, (minted += 1), action, hostname].join("|");

  function verify(body: Record<string, unknown>): object {
    const errors = (...codes: string[]) => ({ success: false, "error-codes": codes, messages: [] });
    const { secret, response, ...others } = body;
    // Optional fields that we don't send.
    if (Object.keys(others).length > 0) return errors("bad-request");
    if (typeof secret !== "string" || secret === "") return errors("missing-input-secret");
    if (secret !== secretKey) return errors("invalid-input-secret");
    if (typeof response !== "string" || response === "") return errors("missing-input-response");
    const [kind, , action, hostname] = response.split("|");
    if (kind !== "token" && kind !== "expired") return errors("invalid-input-response");
    if (kind === "expired" || used.has(response)) return errors("timeout-or-duplicate");
    used.add(response);
    return {
      success: true,
      "error-codes": [],
      challenge_ts: new Date().toISOString(),
      hostname,
      action,
      cdata: "",
      metadata: { interactive: false },
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", "http://turnstile.test");
    paths.push(pathname);
    if (pathname === "/turnstile/v0/api.js") return send(response, 200, "text/javascript", script);
    if (pathname === "/widget") return send(response, 200, "text/html", widget);
    if (pathname !== "/turnstile/v0/siteverify" || request.method !== "POST")
      return send(response, 405, "text/plain", "");
    const body = await text(request);
    if (mood === "silent") {
      unanswered.push(response);
      return;
    }
    if (mood === "failing") return send(response, 503, "text/html", "<html>Service Unavailable</html>");
    if (mood === "redirecting") {
      response.writeHead(307, { Location: `${origin}/elsewhere` });
      response.end();
      return;
    }
    const fields = JSON.parse(body) as Record<string, unknown>;
    calls.push(fields);
    const verdict = mood === "overloaded" ? { success: false, "error-codes": ["internal-error"] } : verify(fields);
    send(response, 200, "application/json", JSON.stringify(verdict));
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of that kind.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    siteKey,
    secretKey,
    variables: {
      CAPTCHA_SERVICE: "turnstile",
      TURNSTILE_SITE_KEY: siteKey,
      TURNSTILE_SECRET_KEY: secretKey,
      CAPTCHA_API_BASE: origin,
    },
    mint,
    /** Bodies of the calls that got a verdict, oldest first. */
    calls,
    /** Everything that was asked for. */
    paths,
    be: (next: Mood) => {
      mood = next;
    },
    close: async () => {
      for (const response of unanswered) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "Content-Type": `${type}; charset=utf-8` });
  response.end(body);
}

const widget = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Widget</title><body><label><input type="checkbox"> Verify you are human</label>`;

/** Refuses options that Turnstile doesn't document. The token exists at once, as in the non-interactive mode. */
const script = `{
  const { origin } = new URL(document.currentScript.src);
  const documented = ["sitekey", "action", "cData", "callback", "error-callback", "execution", "expired-callback",
    "before-interactive-callback", "after-interactive-callback", "unsupported-callback", "theme", "language", "tabindex",
    "timeout-callback", "response-field", "response-field-name", "size", "retry", "retry-interval", "refresh-expired",
    "refresh-timeout", "appearance", "feedback-enabled"];
  window.turnstile = {
    render(place, options) {
      const unknown = Object.keys(options).filter((name) => !documented.includes(name));
      if (unknown.length > 0) throw new Error("Unknown options: " + unknown);
      if (!/^[\\w-]{1,32}$/.test(options.action)) throw new Error("Invalid action");
      Object.assign(place.dataset, { theme: options.theme, language: options.language, size: options.size, sitekey: options.sitekey });
      const frame = Object.assign(document.createElement("iframe"), { src: origin + "/widget", title: "Widget containing a Cloudflare security challenge" });
      Object.assign(frame.style, { width: options.size === "compact" ? "150px" : "100%", height: options.size === "compact" ? "140px" : "65px", border: "0" });
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: options["response-field-name"] });
      place.append(frame, field);
      frame.onload = () => {
        field.value = ["token", crypto.randomUUID(), options.action, location.hostname].join("|");
        options.callback(field.value);
      };
    },
  };
}`;
