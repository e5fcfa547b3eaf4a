import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { type Features, featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { featuresOn } from "#app/features.ts";
import { product } from "#app/product/config.ts";
import { featureTools } from "../features.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { setUpMessages } from "#app/routes/set-up/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { cancelMessages } from "#app/routes/cancel/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import type { Member } from "#tests/browser/support/test-accounts.ts";
import { free, pages } from "#tests/support/billing/catalogue.ts";
import { addresses } from "#tests/support/site/addresses.ts";
import { peopleOf } from "../demo/people.ts";
import { large, small } from "../demo/demo-events.ts";
import * as actions from "./actions.ts";
import type { Scene } from "./scene.ts";

/** States that take minutes to reach, in an empty database with the tests' accounts. The browser suite visits these pages as well. */
const namedScenes: Scene<Member>[] = [
  { name: "landing", who: "nobody", path: "/" },
  { name: "landing, yearly", who: "nobody", path: "/?interval=year" },
  { name: "landing, signed in", who: "paid", path: "/" },
  { name: "landing, closed account", who: "leaving", path: "/" },
  { name: "set-up", who: "nobody", path: "/set-up" },
  {
    name: "set-up, refused",
    who: "nobody",
    path: "/set-up",
    status: 422,
    action: actions.sends(setUpMessages.en.submit, { [setUpMessages.en.token]: "another" }),
  },
  { name: "landing, the steps to a first payment", who: "nobody", path: "/set-up", action: actions.showsFirstPayment },
  { name: "sign-up", who: "nobody", path: "/signup" },
  { name: "sign-up for a plan", who: "nobody", path: `/signup?plan=${small}&interval=month` },
  {
    name: "sign-up, refused",
    who: "nobody",
    path: "/signup",
    status: 422,
    action: actions.sends(signupMessages.en.submit),
  },
  { name: "log-in", who: "nobody", path: "/login" },
  {
    name: "log-in, refused",
    who: "nobody",
    path: "/login",
    status: 422,
    action: actions.sends(loginMessages.en.submit, { [loginMessages.en.email]: "mara@" }),
  },
  { name: "verify", who: "asking", path: "{request}" },
  {
    name: "verify, a wrong code",
    who: "asking",
    path: "{request}",
    status: 422,
    action: actions.entersCode("00000000"),
  },
  { name: "verify, email held up", who: "held-up", path: "/verify" },
  { name: "verify, email given up", who: "given-up", path: "/verify" },
  { name: "verify, in another browser", who: "nobody", path: "{emailed}" },
  { name: "verify, used in another browser", who: "nobody", path: "{used}" },
  { name: "verify, a code that is over", who: "too-late", path: "/verify" },
  { name: "verify, a passkey alone", who: "unsent", path: "/verify" },
  { name: "verify, a new address", who: "moving", path: "{moving}" },
  { name: "sign-up, its address to be corrected", who: "asking", path: "{again}" },
  { name: "a change of address, to be taken back", who: "nobody", path: "{revert}" },
  { name: "a change of address, by an unknown link", who: "nobody", path: "/verify?revert=0000", status: 404 },
  { name: "withdraw", who: "nobody", path: "/withdraw" },
  { name: "withdraw, from an order", who: "paid", path: "/withdraw?order={order}" },
  {
    name: "withdraw, review",
    who: "paid",
    path: "/withdraw?order={order}",
    action: actions.reviewsWithdrawal,
  },
  {
    name: "withdraw, refused",
    who: "nobody",
    path: "/withdraw",
    status: 422,
    action: actions.sends(withdrawMessages.en.form.submit),
  },
  { name: "withdraw, declared", who: "nobody", path: "/withdraw", action: actions.declaresWithdrawal },
  { name: "withdraw, declared without cookies", who: "nobody", path: "/withdraw?declared" },
  { name: "cancel", who: "nobody", path: "/cancel" },
  { name: "cancel, signed in", who: "paid", path: "/cancel" },
  {
    name: "cancel, refused",
    who: "nobody",
    path: "/cancel",
    status: 422,
    action: actions.sends(cancelMessages.en.form.submit),
  },
  { name: "cancel, declared", who: "nobody", path: "/cancel", action: actions.declaresCancellation },
  { name: "cancel, declared without cookies", who: "nobody", path: "/cancel?declared" },
  { name: "unsubscribe, by a link that doesn't work", who: "nobody", path: "/unsubscribe", status: 404 },
  { name: "terms", who: "nobody", path: "/legal/terms" },
  { name: "privacy notice", who: "nobody", path: "/legal/privacy" },
  { name: "imprint", who: "nobody", path: "/legal/imprint" },
  { name: "404", who: "nobody", path: "/nothing-here", status: 404 },
  { name: "404, signed in", who: "new", path: "/settings/nothing-here", status: 404 },
  { name: "500", who: "broken", path: "/settings/security", status: 500 },
  { name: "payment, signed out", who: "nobody", path: "/payment/success" },
  { name: "you", who: "new", path: "/settings" },
  { name: "you, with a plan", who: "paid", path: "/settings" },
  { name: "profile", who: "new", path: "/settings/profile" },
  { name: "security", who: "new", path: "/settings/security" },
  {
    name: "security, an address refused",
    who: "new",
    path: "/settings/security#address",
    status: 422,
    action: actions.sends(accountMessages.en.changeAddress, { [securityMessages.en.email.label]: "mara@" }),
  },
  { name: "notifications", who: "paid", path: "/settings/notifications" },
  { name: "data", who: "paid", path: "/settings/data#leaving" },
  { name: "you, closed account", who: "leaving", path: "/settings" },
  { name: "orders, closed account", who: "leaving", path: "/settings/orders" },
  { name: "you, with too many devices", who: "equipped", path: "/settings" },
  { name: "plan, on Free", who: "new", path: pages.plan },
  { name: "plan, paid", who: "paid", path: pages.plan },
  { name: "plan, no longer sold", who: "pioneer", path: pages.plan },
  ...featureTools.flatMap(({ name, scenes: own }) => own.ofTestAccounts.map((scene) => ({ ...scene, feature: name }))),
  { name: "orders, none", who: "new", path: "/settings/orders" },
  { name: "orders, one", who: "paid", path: "/settings/orders" },
  { name: "order", who: "paid", path: "/settings/orders/{order}" },
  { name: "order, failed", who: "failed", path: "/settings/orders/{failed}" },
  { name: "orders, nothing fits", who: "paid", path: "/settings/orders?year=2019&state=failed" },
  { name: "invoice", who: "paid", path: "/settings/orders/receipt?order={order}" },
  { name: "invite friends", who: "new", path: "/settings/referral" },
  { name: "change plan", who: "new", path: "/settings/upgrade" },
  { name: "change plan, paid", who: "paid", path: "/settings/upgrade?interval=year" },
  { name: "change plan, confirmation", who: "new", path: `/settings/upgrade?plan=${small}&interval=month` },
  { name: "you, an unconfirmed payment", who: "unconfirmed", path: "/settings" },
  { name: "plan, an unconfirmed payment", who: "unconfirmed", path: pages.plan },
  { name: "orders, an unconfirmed payment", who: "unconfirmed", path: "/settings/orders" },
  { name: "order, an unconfirmed payment", who: "unconfirmed", path: "/settings/orders/{unconfirmed}" },
  { name: "change plan, an unconfirmed payment", who: "unconfirmed", path: "/settings/upgrade" },
  { name: "payment success", who: "paid", path: "/payment/success" },
  { name: "payment cancelled", who: "cancelled", path: "/payment/cancelled" },
  { name: "payment failed", who: "failed", path: "/payment/failed" },
  { name: "payment processing", who: "processing", path: "/payment/processing" },
  { name: "payment action", who: "action", path: "/payment/action" },
  { name: "payment expired", who: "expired", path: "/payment/expired" },
];

/** A page without a scene is seen as it is opened. One with a parameter in its path is seen once it has a scene. */
const otherScenes: Scene<Member>[] = addresses
  .filter(({ file, pattern }) => file.endsWith(".tsx") && !/[:*]/.test(pattern))
  .filter(({ path }) => !namedScenes.some((scene) => scene.path.split(/[?#]/)[0] === path))
  .map(({ path }) => ({ name: `page ${path}`, who: path.startsWith("/settings") ? "new" : "nobody", path }));
const allTestAccountScenes = [...namedScenes, ...otherScenes];

/** States that take months or years, and outcomes of plans and payments. `who` is a demo person, by the local part of their address. */
const wholeDemo: Scene[] = [
  { name: "landing, by a friend's link", who: "nobody of the demo", path: "{link of mara}" },
  { name: "you, after fourteen months", who: "mara", path: "/settings" },
  { name: "security, after fourteen months", who: "mara", path: "/settings/security?activity=all" },
  { name: "notifications, after fourteen months", who: "mara", path: "/settings/notifications" },
  { name: "you, on the free plan", who: "nora", path: "/settings" },
  { name: "you, on a trial", who: "milan", path: "/settings" },
  { name: "you, the plan ended, with devices", who: "ylva", path: "/settings" },
  { name: "you, a payment due", who: "nadia", path: "/settings" },
  { name: "you, locked", who: "viktor", path: "/settings" },
  { name: "you, an address that changed", who: "ingrid.olsen", path: "/settings" },
  { name: "plan, by the month", who: "mara", path: pages.plan },
  { name: "plan, by the year", who: "jonas", path: pages.plan },
  { name: "plan, renews soon", who: "greta", path: pages.plan },
  { name: "plan, its card runs out", who: "paul", path: pages.plan },
  { name: "you, the card runs out", who: "paul", path: "/settings" },
  { name: "plan, changes to a smaller one", who: "pia", path: pages.plan },
  { name: "plan, from years to months", who: "tomas", path: pages.plan },
  { name: "plan, cancelled", who: "ines", path: pages.plan },
  { name: "plan, cancelled, asked why", who: "ines", path: `${pages.plan}?why` },
  { name: "plan, ended", who: "bram", path: pages.plan },
  { name: "plan, cancelled with a month's notice", who: "torben", path: pages.plan },
  { name: "plan, paused after a trial", who: "lena", path: pages.plan },
  { name: "change plan, paused", who: "lena", path: "/settings/upgrade" },
  { name: "change plan, a paused plan again", who: "lena", path: `/settings/upgrade?plan=${large}&interval=month` },
  { name: "plan, payment declined", who: "otto", path: pages.plan },
  { name: "plan, payment to be confirmed", who: "yara", path: pages.plan },
  { name: "plan, charges on hold", who: "hedda", path: pages.plan },
  { name: "you, charges on hold", who: "hedda", path: "/settings" },
  { name: "change plan, charges on hold", who: "hedda", path: `/settings/upgrade?plan=${small}&interval=year` },
  { name: "plan, a renewal invoiced", who: "emil", path: pages.plan },
  { name: "you, a renewal invoiced", who: "emil", path: "/settings" },
  { name: "plan, a debit under way", who: "milo", path: pages.plan },
  { name: "plan, a renewal by bank debit under way", who: "signe", path: pages.plan },
  { name: "change plan, paid by bank debit", who: "astrid", path: `/settings/upgrade?plan=${small}&interval=year` },
  {
    name: "change plan, a renewal by bank debit under way",
    who: "signe",
    path: `/settings/upgrade?plan=${small}&interval=year`,
  },
  { name: "plan, in grace", who: "nadia", path: pages.plan },
  { name: "plan, locked", who: "viktor", path: pages.plan },
  { name: "plan, to be ended now", who: "viktor", path: `${pages.plan}#end-plan` },
  { name: "plan, tried too often", who: "viktor", path: pages.plan, status: 429, action: actions.paysTooOften },
  { name: "plan, unpaid", who: "karl", path: pages.plan },
  { name: "plan, lost", who: "henrik", path: pages.plan },
  { name: "plan, paused by the team", who: "freya", path: pages.plan },
  { name: "you, paused by the team", who: "freya", path: "/settings" },
  { name: "plan, paused by Stripe", who: "runa", path: pages.plan },
  { name: "plan, paused after the first failure", who: "alva", path: pages.plan },
  { name: "you, paused after the first failure", who: "alva", path: "/settings" },
  { name: "plan, paused after the last failure", who: "bruno", path: pages.plan },
  { name: "plan, a payment disputed", who: "rui", path: pages.plan },
  { name: "you, a payment disputed", who: "rui", path: "/settings" },
  { name: "plan, newer of two", who: "milan", path: pages.plan },
  { name: "you, a lost plan", who: "henrik", path: "/settings" },
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
  { name: "order, declined", who: "otto", path: "/settings/orders/{order}" },
  { name: "order, to be confirmed", who: "yara", path: "/settings/orders/{order}" },
  { name: "order, under way", who: "milo", path: "/settings/orders/{order}" },
  { name: "order, overdue", who: "nadia", path: "/settings/orders/{order}" },
  { name: "order, given back in part", who: "hugo", path: "/settings/orders" },
  { name: "order, given back", who: "elin", path: "/settings/orders/{order}" },
  { name: "order, disputed", who: "rui", path: "/settings/orders/{order}" },
  { name: "order, friend discount paid back", who: "ben", path: "/settings/orders/{order}" },
  { name: "payment, friend discount under review", who: "selma", path: "/payment/success?order={order}" },
  { name: "order, friend discount under review", who: "selma", path: "/settings/orders/{order}" },
  { name: "change plan, with a friend discount", who: "ivo", path: `/settings/upgrade?plan=${small}&interval=year` },
  { name: "order, dispute lost", who: "zoe", path: "/settings/orders/{order}" },
  { name: "order, a change of plan", who: "amelie", path: "/settings/orders/{order}" },
  { name: "order, with credit", who: "carla", path: "/settings/orders/{order}" },
  { name: "order, by a friend's link", who: "ben", path: "/settings/orders/{order}" },
  { name: "order, withdrawn from", who: "dora", path: "/settings/orders/{order}" },
  { name: "order, a withdrawal that wasn't accepted", who: "kaspar", path: "/settings/orders/{order}" },
  { name: "plan, cancelled without signing in", who: "ida", path: pages.plan },
  { name: "order, a withdrawal declared by anyone", who: "lotte", path: "/settings/orders/{order}" },
  { name: "order, refunded after a withdrawal", who: "ruth", path: "/settings/orders/{order}" },
  { name: "invoice of a company", who: "jonas", path: "/settings/orders/receipt?order={order}" },
  { name: "invoice, with credit", who: "carla", path: "/settings/orders/receipt?order={order}" },
  { name: "invoice, in yen's country", who: "sora", path: "/settings/orders/receipt?order={order}" },
  { name: "invoice of a change of plan", who: "amelie", path: "/settings/orders/receipt?order={order}" },
  { name: "orders of a sale that changed", who: "edith", path: "/settings/orders" },
  { name: "order, changed and refunded in part", who: "edith", path: "/settings/orders/{order}" },
  { name: "one sale, 1 invoice", who: "edith", path: "/settings/orders/receipt?order={first-order}" },
  { name: "one sale, 2 invoice of the change", who: "edith", path: "/settings/orders/receipt?order={order}" },
  { name: "one sale, 3 credit note of the refund", who: "edith", path: "{credit-note}" },
  { name: "invoice, refunded", who: "elin", path: "/settings/orders/receipt?order={order}" },
  { name: "credit note of a refund", who: "elin", path: "{credit-note}" },
  { name: "credit note of a friend discount", who: "ben", path: "{credit-note}" },
  { name: "credit note of a lost dispute", who: "zoe", path: "{credit-note}" },
  { name: "orders, withdrawn from", who: "dora", path: "/settings/orders" },
  { name: "invite friends, three came", who: "mara", path: "/settings/referral" },
  { name: "change plan, up", who: "mara", path: `/settings/upgrade?plan=${small}&interval=year` },
  {
    name: "change plan, asked too often",
    who: "orla",
    path: `/settings/upgrade?plan=${small}&interval=year`,
    status: 429,
    action: actions.opensTooOften,
  },
  { name: "change plan, down", who: "amelie", path: `/settings/upgrade?plan=${small}&interval=month` },
  { name: "change plan, to less than is used", who: "mara", path: `/settings/upgrade?plan=${free.id}&interval=month` },
  { name: "change plan, changes already", who: "pia", path: "/settings/upgrade" },
  { name: "change plan, locked", who: "viktor", path: "/settings/upgrade" },
  ...featureTools.flatMap(({ name, scenes: own }) => own.ofDemo.map((scene) => ({ ...scene, feature: name }))),
];

/** With a key of Stripe's test mode, every page shows a banner: a public page, a settings page, and a missing one. */
export const ofTestMode: Scene[] = [
  { name: "landing, in test mode", who: "nobody", path: "/" },
  { name: "you, in test mode", who: "tester", path: "/settings" },
  { name: "change plan, in test mode", who: "tester", path: "/settings/upgrade" },
  { name: "404, in test mode", who: "nobody", path: "/nothing-here", status: 404 },
];

/** Scenes of features that need a site of their own. */
export const ofFeatureSites = featureTools.flatMap(({ name, site }) =>
  site ? [{ open: site.open, scenes: site.scenes.map((scene): Scene => ({ ...scene, feature: name })) }] : [],
);
const onFeatureSites = ofFeatureSites.flatMap((site) => site.scenes);

/** What the product uses; `on` has the names of features with a folder of their own. */
type Offered = Features & { on: readonly string[] };

/** The features that pages belong to. A disabled feature's page has no menu that leads to it, so its scenes are left out. */
const ofFeatures: [path: string, feature: keyof Features][] = [
  ["/settings/referral", "referral"],
  ["{link of ", "referral"],
  ["/withdraw", "withdrawal"],
  ["/cancel", "cancellation"],
];

export function isOffered({ path, feature }: Pick<Scene, "path" | "feature">, features: Offered): boolean {
  if (feature !== undefined && !features.on.includes(feature)) return false;
  const found = ofFeatures.find(([beginning]) => path.startsWith(beginning));
  return found === undefined || features[found[1]];
}

const people = peopleOf("").flatMap((chapter) =>
  chapter.people.map(({ address, now }) => (now ?? address).split("@")[0]),
);
const isThere = ({ who }: Scene) => who.startsWith("nobody") || people.includes(who);

const own = { ...featuresOf(product, readGate(product, undefined)), on: featuresOn(product).map(({ name }) => name) };
export const testAccountScenes = allTestAccountScenes.filter((scene) => isOffered(scene, own));
/** Without people whose story the product doesn't support. */
export const ofTheDemo = wholeDemo.filter((scene) => isOffered(scene, own) && isThere(scene));
export const scenes: Scene[] = [
  ...testAccountScenes,
  ...ofTheDemo,
  ...ofTestMode,
  ...onFeatureSites.filter((scene) => isOffered(scene, own)),
];
/** Includes those of disabled features. */
export const everyScene: Scene[] = [...allTestAccountScenes, ...wholeDemo, ...ofTestMode, ...onFeatureSites];

export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
