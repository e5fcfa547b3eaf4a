import { featureSamples } from "#tests/support/features.ts";
import { setTimeout as pause } from "node:timers/promises";
import buildOnce from "#tests/support/site/build-once.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { quantile } from "../rounds.ts";
import { figure, type Table } from "../table.ts";

/** Number of addresses of each kind that are measured, and the difference that must be detected. */
const PAIRS = 200;
const NOTICED_MS = 5;

type WayIn = { path: string; fields: Record<string, string> };

const waysIn: readonly WayIn[] = [
  { path: "/login", fields: {} },
  { path: "/signup", fields: { terms: "on" } },
  ...featureSamples.flatMap(({ addressForms = [] }) => addressForms.map(({ path, fields }) => ({ path, fields }))),
  { path: "/withdraw", fields: { intent: "confirm", name: "Mara", order: "2026-000041" } },
];

/** The kinds of address that must be indistinguishable from an unknown one. */
type Kind = "known" | "moved";

/**
 * Can an attacker tell by timing whether an address has an account, or had one recently? Pairs of one such address and one unknown
 * address are requested alternately, in either order, each from its own network. For comparison, each is also measured with five
 * milliseconds added, which must show.
 */
export async function* benchAccountEnumeration(): AsyncGenerator<Table> {
  await buildOnce();
  const site = await startSite();
  await addPeople(site);
  // The first requests of a Worker are its slowest.
  for (let pair = 0; pair < 10; pair++) await timeOf(site, "/login", {}, `nobody-${pair}@example.com`);
  for (const { path, fields } of waysIn) {
    const ask = (kind: Kind, addedMs: number) => measure(site, { path, fields }, kind, addedMs);
    const [known, former, delayed] = [await ask("known", 0), await ask("moved", 0), await ask("known", NOTICED_MS)];
    yield {
      title: `Account enumeration: ${path}, ${PAIRS} pairs`,
      notes: [
        "How much later an address with an account, or one that an account left lately, is answered than one that nobody knows: median, and 95 % interval of it.",
      ],
      head: ["", "with", "without", "later by", "interval", "distinguishable"],
      rows: [
        rowOf("an account", known),
        rowOf("an account until lately", former),
        rowOf(`with ${NOTICED_MS} ms added`, delayed),
      ],
    };
  }
  await site.close();
}

type Pair = { knownMs: number; unknownMs: number };

async function addPeople(site: Site): Promise<void> {
  const db = await site.database();
  const add = db.prepare(
    "insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at) values (?, 'active', ?2, ?2, 'en', 'UTC', '1', 0)",
  );
  await db.batch(Array.from({ length: PAIRS }, (_, pair) => add.bind(`acc_${pair}`, `known-${pair}@example.com`)));
  const leave = db.prepare(
    `insert into address_changes (id, account_id, state, from_email, from_canonical, to_email, to_canonical, revert_hash, changed_at,
       revert_expires_at) values (?1, ?2, 'changed', ?3, ?3, 'to', 'to', ?1, ?4, ?4 + 604800000)`,
  );
  const now = Date.now();
  await db.batch(
    Array.from({ length: PAIRS }, (_, pair) =>
      leave.bind(`chg_${pair}`, `acc_${pair}`, `moved-${pair}@example.com`, now),
    ),
  );
}

async function measure(site: Site, { path, fields }: WayIn, kind: Kind, addedMs: number): Promise<Pair[]> {
  // Each sign-in form has an email quota per address; the quotas are reset as if a day had passed.
  const db = await site.database();
  await db.exec("delete from quota_uses");
  const pairs: Pair[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const known = () => timeOf(site, path, fields, `${kind}-${pair}@example.com`, addedMs);
    const unknown = () => timeOf(site, path, fields, `nobody-${pair}@example.com`);
    // In either order, so that any cost of going first applies to both kinds alike.
    if (pair % 2 === 0) pairs.push({ knownMs: await known(), unknownMs: await unknown() });
    else pairs.push(await unknown().then(async (unknownMs) => ({ knownMs: await known(), unknownMs })));
  }
  return pairs;
}

let networkAddresses = 0;

async function timeOf(site: Site, path: string, fields: Record<string, string>, email: string, addedMs = 0) {
  networkAddresses += 1;
  const ip = `10.${networkAddresses >> 16}.${(networkAddresses >> 8) & 255}.${networkAddresses & 255}`;
  const headers = { Origin: site.origin, "CF-Connecting-IP": ip };
  const startedAt = performance.now();
  const answer = await site.fetch(path, { method: "POST", headers, body: new URLSearchParams({ email, ...fields }) });
  if (addedMs > 0) await pause(addedMs);
  const ms = performance.now() - startedAt;
  await answer.body?.cancel();
  if (answer.status !== 303) throw new Error(`${path} answered ${answer.status}, so nothing was measured`);
  return ms;
}

/** The median of the differences, and its 95 % confidence interval: the sign test's ranks around the middle. */
function rowOf(name: string, pairs: readonly Pair[]): string[] {
  const differences = pairs.map(({ knownMs, unknownMs }) => knownMs - unknownMs);
  const spread = 0.98 / Math.sqrt(pairs.length);
  const [low = NaN, middle = NaN, high = NaN] = [0.5 - spread, 0.5, 0.5 + spread].map((share) =>
    quantile(differences, share),
  );
  return [
    name,
    figure(
      quantile(
        pairs.map(({ knownMs }) => knownMs),
        0.5,
      ),
      "ms",
      1,
    ),
    figure(
      quantile(
        pairs.map(({ unknownMs }) => unknownMs),
        0.5,
      ),
      "ms",
      1,
    ),
    figure(middle, "ms", 2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    low > 0 || high < 0 ? "yes" : "no",
  ];
}
