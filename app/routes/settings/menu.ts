import { href } from "react-router";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { featuresOn } from "#app/features.ts";
import { settingsMessages } from "./messages.ts";

type PageName = Extract<
  keyof typeof settingsMessages.en,
  "overview" | "profile" | "security" | "notifications" | "data" | "plan" | "upgrade" | "choose" | "orders" | "referral"
>;

/** `name` tells a page of the core; `brief` says what a feature's page is about, which may depend on how many there are of `counted`. */
type MenuLink = { to: string; label: string; end?: boolean } & (
  | { name: PageName }
  | { name: null; brief: string | ((count: number) => string); counted: string | null }
);

/** A group without a `label` has the product's own name. */
type MenuGroup = { label: string | null; links: MenuLink[] };

/**
 * The settings pages without those of disabled features. A closed account has only those that stay available. `hasPlan` means that a plan
 * is active, including the free one.
 */
export function settingsMenu(
  product: ProductConfig,
  gate: Gate,
  { isAccountClosed, hasPlan }: { isAccountClosed: boolean; hasPlan: boolean },
): MenuGroup[] {
  const messages = settingsMessages.en;
  const link = (name: PageName, to: string) => ({ name, to, label: messages[name] });
  const overview = { ...link("overview", href("/settings")), end: true };
  const orders = link("orders", href("/settings/orders"));
  if (isAccountClosed) {
    return [
      { label: messages.you, links: [overview] },
      { label: messages.money, links: [orders] },
    ];
  }
  const { referral } = featuresOf(product, gate);
  const ofProduct = featuresOn(product).flatMap(({ settingsPages = [], counted, messages: { en } }) =>
    settingsPages.map(({ path }) => {
      const { menu = path, brief = "" } = en.pages[path] ?? {};
      return { name: null, to: segmentPath(product, path), label: menu, brief, counted: counted?.limit ?? null };
    }),
  );
  return [
    {
      label: messages.you,
      links: [
        overview,
        link("profile", href("/settings/profile")),
        link("security", href("/settings/security")),
        link("notifications", href("/settings/notifications")),
        link("data", href("/settings/data")),
      ],
    },
    ...(ofProduct.length > 0 ? [{ label: null, links: ofProduct }] : []),
    {
      label: messages.money,
      links: [
        link("plan", segmentPath(product, "plan")),
        link(hasPlan ? "upgrade" : "choose", href("/settings/upgrade")),
        orders,
        ...(referral ? [link("referral", href("/settings/referral"))] : []),
      ],
    },
  ];
}
