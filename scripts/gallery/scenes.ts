import { chapters } from "../demo/people.ts";
import { large, small } from "../demo/script.ts";
import { everyPage } from "#tests/browser/every-page.ts";
import { pages } from "#tests/support/catalogue.ts";
import * as acts from "./acts.ts";

/** A page in one state, as somebody sees it. Whoever isn't of the cast is of the demo, by the name in front of their address. */
export type Scene = {
  name: string;
  /** `{…}` is filled in by what the people did: of the demo's people `{order}` is their newest order, `{link}` their link. */
  path: string;
  who: string;
  status?: number;
  /** What is done there before anybody looks. */
  act?: acts.Act;
};

/** What the browser ring visits as well, and what was done wrong on such a page. */
const ofTheCast: Scene[] = [
  ...everyPage,
  { name: "sign-up, refused", who: "nobody", path: "/signup", act: acts.sends("Send me a code"), status: 422 },
  {
    name: "log-in, refused",
    who: "nobody",
    path: "/login",
    act: acts.sends("Send me a code", { "E-mail address": "mara@" }),
    status: 422,
  },
  {
    name: "verify, a wrong code",
    who: "asking",
    path: "{request}",
    act: acts.sends("Confirm", { Code: "00000000" }),
    status: 422,
  },
  { name: "withdraw, refused", who: "nobody", path: "/withdraw", act: acts.sends("Go on"), status: 422 },
];

/** Months and years of somebody's life, and what becomes of a plan or a payment. */
const ofTheDemo: Scene[] = [
  { name: "landing, by a friend's link", who: "nobody of the demo", path: "{link of mara}" },
  { name: "you, after fourteen months", who: "mara", path: "/settings?activity=all" },
  { name: "you, on the free plan", who: "nora", path: "/settings" },
  { name: "you, a payment due", who: "nadia", path: "/settings" },
  { name: "you, locked", who: "viktor", path: "/settings" },
  { name: "you, an address that changed", who: "ingrid.olsen", path: "/settings" },
  { name: "plan, by the month", who: "mara", path: pages.plan },
  { name: "plan, by the year", who: "jonas", path: pages.plan },
  { name: "plan, renews soon", who: "greta", path: pages.plan },
  { name: "plan, its card runs out", who: "paul", path: pages.plan },
  { name: "plan, changes to a smaller one", who: "pia", path: pages.plan },
  { name: "plan, from years to months", who: "tomas", path: pages.plan },
  { name: "plan, cancelled", who: "ines", path: pages.plan },
  { name: "plan, ended", who: "bram", path: pages.plan },
  { name: "plan, paused", who: "lena", path: pages.plan },
  { name: "plan, charges on hold", who: "hedda", path: pages.plan },
  { name: "you, charges on hold", who: "hedda", path: "/settings" },
  { name: "change plan, charges on hold", who: "hedda", path: `/settings/upgrade?plan=${small}&interval=year` },
  { name: "plan, a renewal drawn", who: "emil", path: pages.plan },
  { name: "you, a renewal drawn", who: "emil", path: "/settings" },
  { name: "plan, a debit under way", who: "milo", path: pages.plan },
  { name: "plan, in grace", who: "nadia", path: pages.plan },
  { name: "plan, locked", who: "viktor", path: pages.plan },
  { name: "plan, unpaid", who: "karl", path: pages.plan },
  { name: "plan, to be confirmed", who: "theo", path: pages.plan },
  { name: "plan, with credit", who: "carla", path: pages.plan },
  { name: "orders, fourteen months", who: "mara", path: "/settings/orders" },
  { name: "orders, more than sixty", who: "orla", path: "/settings/orders" },
  {
    name: "orders, narrowed",
    who: "orla",
    path: `/settings/orders?year=${new Date().getUTCFullYear() - 1}&state=paid`,
  },
  { name: "orders, none came to anything", who: "bea", path: "/settings/orders" },
  { name: "order, declined", who: "otto", path: "/settings/orders?order={order}" },
  { name: "order, to be confirmed", who: "yara", path: "/settings/orders?order={order}" },
  { name: "order, under way", who: "milo", path: "/settings/orders?order={order}" },
  { name: "order, overdue", who: "nadia", path: "/settings/orders?order={order}" },
  { name: "order, given back in part", who: "hugo", path: "/settings/orders" },
  { name: "order, given back", who: "elin", path: "/settings/orders?order={order}" },
  { name: "order, disputed", who: "rui", path: "/settings/orders?order={order}" },
  { name: "order, dispute lost", who: "zoe", path: "/settings/orders?order={order}" },
  { name: "order, a change of plan", who: "amelie", path: "/settings/orders?order={order}" },
  { name: "order, with credit", who: "carla", path: "/settings/orders?order={order}" },
  { name: "order, by a friend's link", who: "ben", path: "/settings/orders?order={order}" },
  { name: "order, withdrawn from", who: "dora", path: "/settings/orders?order={order}" },
  { name: "order, refunded after a withdrawal", who: "ruth", path: "/settings/orders?order={order}" },
  { name: "receipt of a company", who: "jonas", path: "/settings/orders/receipt?order={order}" },
  { name: "receipt, with credit", who: "carla", path: "/settings/orders/receipt?order={order}" },
  { name: "receipt, in yen's country", who: "sora", path: "/settings/orders/receipt?order={order}" },
  { name: "invite friends, three came", who: "mara", path: "/settings/referral" },
  { name: "change plan, up", who: "mara", path: `/settings/upgrade?plan=${small}&interval=year` },
  { name: "change plan, on a waitlist", who: "mara", path: `/settings/upgrade?plan=${large}&interval=month` },
  { name: "change plan, down", who: "amelie", path: `/settings/upgrade?plan=${small}&interval=month` },
  { name: "change plan, changes already", who: "pia", path: "/settings/upgrade" },
  { name: "change plan, locked", who: "viktor", path: "/settings/upgrade" },
  { name: "preferences, own", who: "nora", path: pages.preferences },
  { name: "waitlist, in line", who: "nora", path: "/waitlist" },
  { name: "devices, of a running plan", who: "mara", path: pages.account },
  { name: "devices, locked", who: "viktor", path: pages.account },
];

export const stageOf = (scene: Scene): "cast" | "demo" => (ofTheDemo.includes(scene) ? "demo" : "cast");

export const scenes: Scene[] = [...ofTheCast, ...ofTheDemo];

/** As files are called. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

/** A scene names somebody who is there. */
export const namesOfDemo: string[] = chapters.flatMap(({ people }) =>
  people.map(({ address, now }) => (now ?? address).replace(/@.*/, "")),
);
