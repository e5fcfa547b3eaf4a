import type { Messages } from "#app/core/messages.ts";
import { rootMessages } from "#app/root.messages.ts";

const { title, reference } = rootMessages.en.broken;

/** Pages of one heading and one sentence, which the Worker answers where React Router has no page to show. */
const en = {
  method: { title: "This is not how it works", text: "Open the page, or send its form." },
  foreignOrigin: {
    title: "This form came from somewhere else",
    text: "Open the page again on this site and send it from there.",
  },
  plainHttp: {
    title: "Only over HTTPS",
    text: "What was sent could be read on the way. Nothing was done with it.",
  },
  misconfigured: {
    title: "Not open yet",
    text: "This site is being set up. Please come back in a little while.",
  },
  unmigrated: {
    title: "The database is not migrated",
    text: "Run: npx wrangler d1 migrations apply DB --local",
  },
  broken: { title, text: (id: string) => `It wasn't you. Try again in a moment. ${reference(id)}` },
};

export const plainPagesMessages: Messages<typeof en> = { en };
