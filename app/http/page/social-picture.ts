import type { RootMatch } from "./page-title.ts";
import { socialPictureMessages } from "./social-picture.messages.ts";

/** Pages with a picture in `app/product/public/social`, made by `npm run brand`. */
export const picturedPages = ["landing", "signup", "login"] as const;

/** A picture of a feature's page, and its alternative text. */
type FeaturePicture = { name: string; alt: (product: string) => string };

/**
 * Social and search metadata of a public page with the address `canonical` and a one-sentence description. A page without a picture uses
 * the landing page's.
 */
export function socialPicture(
  canonical: string | undefined,
  page: (typeof picturedPages)[number] | FeaturePicture,
  description: string | undefined,
  [root]: [RootMatch, ...unknown[]],
) {
  if (!canonical) return [];
  const { origin, hostname } = new URL(canonical);
  const name = root.loaderData?.brand.name ?? hostname;
  const picture = typeof page === "string" ? { name: page, alt: socialPictureMessages.en[page] } : page;
  return [
    { name: "description", content: description },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:url", content: canonical },
    { property: "og:image", content: `${origin}/social/${picture.name}.png` },
    { property: "og:image:alt", content: picture.alt(name) },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
