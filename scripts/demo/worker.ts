import { peopleOf } from "./people.ts";
import { replayDemo } from "./replay-demo.ts";
import { DemoSite } from "./demo-site.ts";

/** The values that the site will run with; they define how its database is keyed and where its Stripe is. */
type DemoEnv = Record<
  | "PUBLIC_ORIGIN"
  | "STRIPE_API_BASE"
  | "STRIPE_SECRET_KEY"
  | "CODE_PEPPER"
  | "MAIL_FROM"
  | "ENTITLEMENT_SIGNING_KEY"
  | "DEMO_PEOPLE",
  string
> & {
  DB: D1Database;
};

/** Runs the whole demo in one request, and returns what the site would have reported, or where the demo failed. */
export default {
  async fetch(_request, env) {
    const site = new DemoSite(env.DB, {
      origin: env.PUBLIC_ORIGIN,
      stripe: env.STRIPE_API_BASE,
      key: env.STRIPE_SECRET_KEY,
      pepper: env.CODE_PEPPER,
      emailSender: env.MAIL_FROM,
      entitlementSecret: env.ENTITLEMENT_SIGNING_KEY,
    });
    try {
      const someone = await env.DB.prepare("select id from accounts limit 1").first();
      if (someone !== null) return new Response("There are accounts already", { status: 409 });
      await replayDemo(site, peopleOf(env.DEMO_PEOPLE));
      return Response.json({ reports: site.reports });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      return new Response(
        [error, cause]
          .filter((each) => each !== undefined)
          .map(describe)
          .join("\n"),
        { status: 500 },
      );
    }
  },
} satisfies ExportedHandler<DemoEnv>;

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
