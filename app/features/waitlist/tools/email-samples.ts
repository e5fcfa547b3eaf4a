import { product } from "#app/product/config.ts";
import type { EmailSamples } from "../../../../scripts/feature-tools.ts";
import type { WaitlistEmail } from "../emails.messages.ts";

const origin = "https://preview.example";
const url = `${origin}/settings`;
const place = `${origin}/waitlist?entry=0123456789abcdefghjkmnpqrs0123456789abcdefghjkmnpqrs`;
const what = `${product.name} ${product.plans.find(({ prices }) => prices !== null)?.name ?? ""}`;

export const waitlistSamples: EmailSamples<WaitlistEmail> = {
  "waitlist-confirm": [
    { template: "waitlist-confirm", what: what, validMs: 604_800_000, url: place.replace("entry=", "confirm=") },
  ],
  "waitlist-place": [{ template: "waitlist-place", what: what, url: place }],
  "waitlist-invited": [
    { template: "waitlist-invited", what: what, missesMax: 2, until: "25 November 2026, 14:05", url: place },
  ],
  "waitlist-reminder": [{ template: "waitlist-reminder", what: what, until: "25 November 2026, 14:05", url: place }],
  "waitlist-joined": [{ template: "waitlist-joined", what: what, url }],
  "doors-open": [{ template: "doors-open", what: what, url: `${origin}/signup` }],
};
