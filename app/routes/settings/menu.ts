import { href } from "react-router";
import type { Features } from "#app/modules/catalogue/features.rules.ts";
import { type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import type { settingsMessages } from "./messages.ts";

type Word = Extract<
  keyof typeof settingsMessages.en,
  | "you"
  | "overview"
  | "profile"
  | "security"
  | "notifications"
  | "data"
  | "devices"
  | "preferences"
  | "money"
  | "plan"
  | "upgrade"
  | "choose"
  | "orders"
  | "referral"
>;

/** A group without a `label` has the product's own name. */
type MenuGroup = { label: Word | null; links: { to: string; label: Word; end?: boolean }[] };

/**
 * The settings pages without those of disabled features. A closed account has only those that stay available. `hasPlan` means that a plan
 * is active, including the free one.
 */
export function settingsMenu(
  product: Pick<ProductConfig, "segment">,
  features: Pick<Features, "devices" | "referral" | "preferences">,
  { isAccountClosed, hasPlan }: { isAccountClosed: boolean; hasPlan: boolean },
): MenuGroup[] {
  const overview = { to: href("/settings"), label: "overview", end: true } as const;
  const orders = { to: href("/settings/orders"), label: "orders" } as const;
  if (isAccountClosed) {
    return [
      { label: "you", links: [overview] },
      { label: "money", links: [orders] },
    ];
  }
  const ofProduct = [
    ...(features.devices ? [{ to: segmentPath(product, "account"), label: "devices" } as const] : []),
    ...(features.preferences ? [{ to: segmentPath(product, "settings"), label: "preferences" } as const] : []),
  ];
  return [
    {
      label: "you",
      links: [
        overview,
        { to: href("/settings/profile"), label: "profile" },
        { to: href("/settings/security"), label: "security" },
        { to: href("/settings/notifications"), label: "notifications" },
        { to: href("/settings/data"), label: "data" },
      ],
    },
    ...(ofProduct.length > 0 ? [{ label: null, links: ofProduct }] : []),
    {
      label: "money",
      links: [
        { to: segmentPath(product, "plan"), label: "plan" },
        { to: href("/settings/upgrade"), label: hasPlan ? "upgrade" : "choose" },
        orders,
        ...(features.referral ? [{ to: href("/settings/referral"), label: "referral" } as const] : []),
      ],
    },
  ];
}
