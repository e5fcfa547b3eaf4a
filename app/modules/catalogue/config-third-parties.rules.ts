/** Checks the declared third-party services: addresses, origins, attributes, names. Called from `checkConfig`. */
import { type EmbedDirective, embedDirectives, type EmbedScript } from "#app/core/embed.ts";
import { type ConfigProblem, problemIf } from "./config-problems.rules.ts";
import type { ThirdParty } from "./third-parties.rules.ts";

export function checkThirdParties({ thirdParties = [] }: { thirdParties?: readonly ThirdParty[] }): ConfigProblem[] {
  const names = thirdParties.map(({ name }) => name);
  return thirdParties.flatMap((service, index) => {
    const path = `thirdParties[${index}]`;
    const isTwice = names.indexOf(service.name) !== index;
    return [
      ...problemIf(isTwice, "name-taken-twice", `${path}.name`, `"${service.name}" is already taken.`),
      ...checkTexts(service, path),
      ...checkTags(service, path),
      ...checkOrigins(service, path),
    ];
  });
}

function checkTexts({ name, purpose, stores, privacyUrl }: ThirdParty, path: string): ConfigProblem[] {
  const texts = { name, purpose, ...Object.fromEntries(stores.map((text, index) => [`stores[${index}]`, text])) };
  return [
    ...Object.entries(texts).flatMap(([key, text]) =>
      problemIf(text.trim() === "", "sentence-empty", `${path}.${key}`, "It's empty, and the privacy notice shows it."),
    ),
    ...checkAddress(privacyUrl, `${path}.privacyUrl`),
  ];
}

function checkTags({ scripts = [], stylesheets = [], inline, policy }: ThirdParty, path: string): ConfigProblem[] {
  const isEmpty = scripts.length + stylesheets.length === 0 && inline === undefined && policy === undefined;
  return [
    ...problemIf(
      isEmpty,
      "third-party-empty",
      path,
      "It loads nothing: list scripts, stylesheets, inline code or origins in policy.",
    ),
    ...scripts.flatMap((script, index) => checkScript(script, `${path}.scripts[${index}]`)),
    ...stylesheets.flatMap((url, index) => checkAddress(url, `${path}.stylesheets[${index}]`)),
    ...problemIf(
      inline !== undefined && (inline.trim() === "" || /<\/script|<!--/i.test(inline)),
      "inline-code-unsuitable",
      `${path}.inline`,
      "Inline code must not be empty, nor contain </script or <!--.",
    ),
  ];
}

/** Attributes that change how a script is loaded; everything else that a service reads from its tag is `data-…`. */
const attributes = ["async", "defer", "crossorigin", "integrity", "id", "type", "referrerpolicy"];

function checkScript({ src, attributes: given = {} }: EmbedScript, path: string): ConfigProblem[] {
  const unknown = Object.keys(given).filter((name) => !/^data-[a-z\d-]+$/.test(name) && !attributes.includes(name));
  return [
    ...checkAddress(src, `${path}.src`),
    ...unknown.flatMap((name) =>
      problemIf(
        true,
        "attribute-unknown",
        `${path}.attributes`,
        `"${name}" isn't allowed: use data-… in lower case, or one of ${attributes.join(", ")}.`,
      ),
    ),
  ];
}

function checkAddress(address: string, path: string): ConfigProblem[] {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSound = url?.protocol === "https:" && url.username === "" && url.password === "" && !/\s/.test(address);
  return problemIf(!isSound, "address-not-https", path, `"${address}" isn't an https address.`);
}

function checkOrigins({ policy = {} }: ThirdParty, path: string): ConfigProblem[] {
  return Object.entries(policy).flatMap(([directive, origins]) => {
    const known = embedDirectives.find((name) => name === directive);
    if (!known) {
      const message = `"${directive}" isn't one of ${embedDirectives.join(", ")}.`;
      return problemIf(true, "directive-unknown", `${path}.policy`, message);
    }
    return origins.flatMap((origin, index) =>
      problemIf(
        !isAllowedOrigin(origin, known),
        "origin-malformed",
        `${path}.policy.${directive}[${index}]`,
        `"${origin}" isn't an origin such as https://example.com: https only, a whole host, no path, wildcard or quoted word.`,
      ),
    );
  });
}

/** Only `connect-src` may name a WebSocket (wss). */
function isAllowedOrigin(origin: string, directive: EmbedDirective): boolean {
  const https = directive === "connect-src" ? origin.replace(/^wss:/, "https:") : origin;
  // An origin is the same after parsing: in lower case, without a path, a standard port or characters that end a directive.
  return https.startsWith("https://") && URL.canParse(https) && new URL(https).origin === https && !/[*']/.test(https);
}
