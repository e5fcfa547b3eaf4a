import type { RootMatch } from "./page-title.ts";
import { socialPictureMessages } from "./social-picture.messages.ts";

/** Pages of which there is a picture in `app/product/public/social`, as `npm run gallery -- --social` draws them. */
export const picturedPages = ["landing", "signup", "login", "waitlist"] as const;

/** What others and search engines show for a public page, whose address is `canonical`, with one sentence about it. What has no picture shows the landing page's. */
export function socialPicture(
  canonical: string | undefined,
  page: (typeof picturedPages)[number],
  description: string | undefined,
  [root]: [RootMatch, ...unknown[]],
) {
  if (!canonical) return [];
  const { origin, hostname } = new URL(canonical);
  const name = root.loaderData?.brand.name ?? hostname;
  return [
    { name: "description", content: description },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:url", content: canonical },
    { property: "og:image", content: `${origin}/social/${page}.png` },
    { property: "og:image:alt", content: socialPictureMessages.en[page](name) },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
