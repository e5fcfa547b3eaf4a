/** Pages of which there is a picture in `public/social`, as `npm run gallery -- --social` draws them. */
export const picturedPages = ["landing", "signup", "login", "waitlist"] as const;

/** What others show for a link to a public page, whose address is `canonical`. */
export function socialPicture(canonical: string | undefined, page: (typeof picturedPages)[number]) {
  if (!canonical) return [];
  return [
    { property: "og:url", content: canonical },
    { property: "og:image", content: `${new URL(canonical).origin}/social/${page}.png` },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
