import { API_VERSION, WEBHOOK_EVENTS } from "../../stripe/webhook.ts";
import { code, type Page } from "../markdown.ts";

export function stripeEventsPage(): Page {
  return {
    file: "stripe-events.md",
    title: "Stripe's events",
    about: [
      `What the webhook endpoint subscribes to, with API version \`${API_VERSION}\`, and what the cron job looks for in Stripe's list of events.`,
      "Each is a hint to sync one customer; there is no handler per type.",
    ].join("\n"),
    sections: [WEBHOOK_EVENTS.map((event) => `- ${code(event)}`).join("\n")],
  };
}
