import { invariant } from "./core/invariant.ts";
import type { CountedTexts, Feature, GatePages, StoppedEmails } from "./feature.ts";
import { captcha } from "./features/captcha/feature.ts";
import { devices } from "./features/devices/feature.ts";
import { preferences } from "./features/preferences/feature.ts";
import { waitlist } from "./features/waitlist/feature.ts";
import { segmentPath } from "./core/page-paths.ts";
import type { ProductConfig } from "./modules/catalogue/rules.ts";

/** What a product can do without, a line each. The order is that of menus. */
export const features: readonly Feature[] = [devices, preferences, captcha, waitlist];

export function featuresOn(product: ProductConfig): Feature[] {
  return features.filter((feature) => feature.isOn(product));
}

/** How sentences name the data that features store of a customer: that is exported, or erased. */
export function dataOfFeatures(product: ProductConfig, what: "exported" | "erased"): string[] {
  return featuresOn(product).flatMap(({ messages }) => messages.en.data[what]);
}

/** The page and texts of what plans limit by number under this name. */
export function countedOf(limit: string): { path: string; messages: CountedTexts } | null {
  const found = features.find(({ counted }) => counted?.limit === limit);
  const messages = found?.messages.en.counted;
  return found?.counted && messages ? { path: found.counted.path, messages } : null;
}

/** Where the owner sees what is used of the plan's limits: in a page of a feature, or beside the plan. */
export function usagePathOf(product: ProductConfig): string {
  return segmentPath(product, featuresOn(product).flatMap(({ usagePath }) => usagePath ?? [])[0] ?? "plan");
}

/** The pages of the gate that is shut. Without a feature that lets people through there is none. */
export function gatePages(): GatePages {
  const [pages] = features.flatMap(({ gate }) => gate ?? []);
  invariant(pages, "A gate is shut that no feature opens");
  return pages;
}

/** Emails that a mailbox stopped, if they are a feature's. */
export function stoppedEmailsOf(subject: string): StoppedEmails | null {
  return features.flatMap(({ optionalEmails }) => optionalEmails?.[subject] ?? [])[0] ?? null;
}
