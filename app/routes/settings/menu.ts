import { href } from "react-router";
import type { Features } from "#app/modules/catalogue/features.rules.ts";
import { type ProductConfig, segmentPath } from "#app/modules/catalogue/rules.ts";
import type { settingsMessages } from "./messages.ts";

type Word = Extract<
  keyof typeof settingsMessages.en,
  "you" | "overview" | "devices" | "preferences" | "money" | "plan" | "upgrade" | "choose" | "orders" | "referral"
>;

/** `label` null: the product's own name. */
export type MenuGroup = { label: Word | null; links: { to: string; label: Word; end?: boolean }[] };

/**
 * The settings pages, without those of disabled features. `hasPlan`: a plan is active, including the free one. For an account pending
 * deletion, only those that stay available.
 */
export function settingsMenu(
  product: Pick<ProductConfig, "segment">,
  features: Pick<Features, "referral" | "preferences">,
  { isPendingDeletion, hasPlan }: { isPendingDeletion: boolean; hasPlan: boolean },
): MenuGroup[] {
  const you: MenuGroup = { label: "you", links: [{ to: href("/settings"), label: "overview", end: true }] };
  const orders = { to: href("/settings/orders"), label: "orders" } as const;
  if (isPendingDeletion) return [you, { label: "money", links: [orders] }];
  return [
    you,
    {
      label: null,
      links: [
        { to: segmentPath(product, "account"), label: "devices" },
        ...(features.preferences ? [{ to: segmentPath(product, "settings"), label: "preferences" } as const] : []),
      ],
    },
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
