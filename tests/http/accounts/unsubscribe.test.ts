import { expect, test } from "vitest";
import { unsubscribeUrl } from "#app/modules/email/unsubscribe.rules.ts";
import { notificationsMessages } from "#app/routes/settings/notifications/messages.ts";
import { unsubscribeMessages } from "#app/routes/unsubscribe/messages.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });
const { about, ask, done, unknown } = unsubscribeMessages.en;

test("a mailbox unsubscribes by a POST without cookie and origin; opening the link changes nothing; a forged link is refused", async () => {
  const visitor = await signUp(site, "stops-emails@example.com", "");
  const d1 = await site.database();
  const account = await d1.prepare("select id from accounts").first<{ id: `acc_${string}` }>();
  const emailsOff = async () =>
    JSON.parse((await d1.prepare("select emails_off as off from accounts").first<string>("off")) ?? "");
  const recipient = account?.id ?? "acc_";
  const pepper = "local-code-pepper";
  const path = await unsubscribeUrl({ origin: "", pepper }, { subject: "usage", recipient });
  const page = await (await site.fetch(path)).text();
  expect(page).toContain(ask.title(about.usage));
  expect(await emailsOff()).toEqual([]);
  const forged = await site.fetch(`${path}x`, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  expect([forged.status, (await forged.text()).replaceAll("&#x27;", "'")]).toEqual([
    404,
    expect.stringContaining(unknown.title),
  ]);
  expect(await emailsOff()).toEqual([]);
  for (const body of [
    new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    new FormData(),
    "List-Unsubscribe=One-Click",
  ]) {
    const answer = await site.fetch(path, { method: "POST", body });
    expect([answer.status, answer.headers.has("Set-Cookie"), await emailsOff()]).toEqual([200, false, ["usage"]]);
  }
  await visitor.open(path);
  expect(visitor.text()).toContain(done.title(about.usage));
  await visitor.open("/settings/notifications");
  expect(visitor.text()).toContain(notificationsMessages.en.emails.brief(2, 3));
});
