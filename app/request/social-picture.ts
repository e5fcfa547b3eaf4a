/** Pages of which there is a picture in `public/social`, as `npm run gallery -- --social` draws them. */
export const picturedPages = ["landing", "signup", "login", "waitlist"] as const;

/** What others and search engines show for a public page, whose address is `canonical`, with one sentence about it. */
export function socialPicture(
  canonical: string | undefined,
  page: (typeof picturedPages)[number],
  description: string | undefined,
) {
  if (!canonical) return [];
  return [
    { name: "description", content: description },
    { property: "og:description", content: description },
    { property: "og:url", content: canonical },
    { property: "og:image", content: `${new URL(canonical).origin}/social/${page}.png` },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
