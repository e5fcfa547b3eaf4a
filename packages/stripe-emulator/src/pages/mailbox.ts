import { html, type Markup, page } from "./html.ts";

/** The fields of wrangler's mailbox that the page shows. */
type Listed = { messageId: string; subject: string; to: string[]; sentAt: string };
type Email = Listed & { text?: string };

/** Emails that the list shows. The explorer has them all. */
const SHOWN = 20;

/** The emails that the site sent on this machine: the newest, or the one that the address names, and a list of the others. */
export async function mailboxPage(siteOrigin: string, request: Request): Promise<Response> {
  const explorer = `${siteOrigin}/cdn-cgi/local/explorer`;
  const list = await readResult<Listed[]>(`${explorer}/api/local/email/sending?per_page=${SHOWN}`);
  if (list === null) return mailbox(html`<p>The site isn't running, or not with a mailbox of its own.</p>`, explorer);
  const chosen = new URL(request.url).searchParams.get("email") ?? list[0]?.messageId;
  if (chosen === undefined) {
    const text = html`<p>
      No email yet. One arrives a moment after the site says so. <a href="/mailbox">Look again</a>
    </p>`;
    return mailbox(text, explorer);
  }
  const email = await readResult<Email>(
    `${explorer}/api/local/email/sending?${new URLSearchParams({ email_id: chosen })}`,
  );
  const shown = email ? showEmail(email) : html`<p>This email isn't in the mailbox any more.</p>`;
  return mailbox(html`${shown} ${listOthers(list, chosen)}`, explorer);
}

function mailbox(body: Markup, explorer: string): Response {
  return page(
    "Mailbox",
    html`<h1>Mailbox</h1>
      ${body}
      <p class="soft">
        Emails that the site sent since it started; nothing leaves this machine. With their HTML, and for scripts:
        <a href="${explorer}">wrangler's explorer</a>
      </p>`,
  );
}

function showEmail({ subject, to, sentAt, text = "" }: Email): Markup {
  return html`<section class="card">
    <h2>${subject}</h2>
    <p class="soft">To ${to.join(", ")}, ${formatSentAt(sentAt)}. <a href="/mailbox">Look for a newer one</a></p>
    <p class="letter">${linked(text)}</p>
  </section>`;
}

function listOthers(list: readonly Listed[], chosen: string): Markup {
  const others = list.filter(({ messageId }) => messageId !== chosen);
  if (others.length === 0) return html``;
  return html`<section class="card">
    <h2>Other emails</h2>
    <ul class="rows">
      ${others.map(
        ({ messageId, subject, to, sentAt }) =>
          html`<li>
            <a href="/mailbox?${new URLSearchParams({ email: messageId }).toString()}">${subject}</a>
            <span class="soft">${to.join(", ")}, ${formatSentAt(sentAt)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** The addresses in a text, as links. */
function linked(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}

function formatSentAt(sentAt: string): string {
  return `${sentAt.slice(0, 19).replace("T", " ")} UTC`;
}

/** Null if nothing answers, or something else than the explorer. */
async function readResult<Result>(url: string): Promise<Result | null> {
  try {
    const answer = await fetch(url);
    if (!answer.ok) return null;
    // Of wrangler's explorer, in the type that its caller names.
    const { result } = (await answer.json()) as { result: Result };
    return result;
  } catch {
    return null;
  }
}
