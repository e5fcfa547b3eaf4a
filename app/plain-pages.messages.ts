import type { Messages } from "#app/core/messages.ts";
import { rootMessages } from "#app/root.messages.ts";

const { unavailable } = rootMessages.en;
const { title, reference } = rootMessages.en.broken;

/** Pages of one heading and one sentence. The Worker answers with them where React Router has no page to show. */
const en = {
  method: { title: "That didn't work", text: "Open the page in your browser, or submit its form." },
  foreignOrigin: {
    title: "This form was sent from another site",
    text: "Open the page on this site and submit the form there.",
  },
  plainHttp: {
    title: "Use HTTPS",
    text: "The request wasn't encrypted, so we ignored it. Send it again over HTTPS.",
  },
  misconfigured: { title: "Not open yet", text: "We're setting up this site. Please come back later." },
  maintenance: {
    title: unavailable.title,
    text: "We're working on this site. Please try again in a few minutes.",
  },
  /** The home page shows this in place of `misconfigured`, for the team that sets the site up. */
  setUp: {
    title: "This site isn't set up yet",
    text: "These names are set or missing. Run the commands in your clone of the site, or set the values in Cloudflare's dashboard: the Worker's settings, Variables and secrets. This page keeps checking. Once the site is set up, /set-up leads you through a first payment.",
    columns: { name: "Name", state: "Status", command: "Command" },
    states: { set: "Set", missing: "Missing", wrong: "Set, but invalid: the log says why", optional: "Optional" },
  },
  unmigrated: {
    title: "The database isn't migrated",
    text: "Run: npx wrangler d1 migrations apply DB --local",
  },
  broken: { title, text: (id: string) => `It wasn't you. Try again in a moment. ${reference(id)}` },
};

export const plainPagesMessages: Messages<typeof en> = { en };
