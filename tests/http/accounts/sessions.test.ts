import { flashMessages } from "#app/http/page/flash.messages.ts";
import { describe, expect, test } from "vitest";
import { visitorMessages } from "#app/http/request/visitor.messages.ts";
import { securityMessages, activityMessages } from "#app/routes/settings/security/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { newCustomer, signIn, typeCode } from "#tests/support/clients/customers.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const { sessions: messages } = securityMessages.en;
const flash = flashMessages.en;

const site = useSite();

async function outdateReauthentications(): Promise<void> {
  const db = await site.database();
  await db.exec("update sessions set proven_at = proven_at - 900000");
}

async function sessionsOf(address: string): Promise<{ id: string; state: string }[]> {
  const db = await site.database();
  const { results } = await db
    .prepare(
      "select s.id, s.state from sessions s join accounts a on a.id = s.account_id where a.email = ? order by s.id",
    )
    .bind(address)
    .all<{ id: string; state: string }>();
  return results;
}

describe("other browsers", () => {
  test("are listed, and one that is ended is signed out with its next request", async () => {
    const { visitor, address } = await newCustomer(site);
    const other = await signIn(site, address, 2);
    await visitor.open("/settings/security");
    await visitor.press(`${messages.end} ${visitorMessages.en.unknown}`);
    expect([visitor.status, visitor.path()]).toEqual([200, "/settings/security#sessions"]);
    expect(visitor.text()).toContain(flash["session-ended"]);
    expect(visitor.text()).toContain(activityMessages.en.did["session-ended"]);
    await other.open("/settings");
    expect(other.path()).toBe("/login?redirectTo=%2Fsettings");
    const [notice] = await site.emailsTo(address, 3);
    expect(notice?.subject).toMatch(subjectOf("sessions-ended"));
  });

  test("can all be ended together, except for this one", async () => {
    const { visitor, address } = await newCustomer(site);
    const others = [await signIn(site, address, 2), await signIn(site, address, 3)];
    await visitor.open("/settings/security");
    await visitor.press(messages.endOthers);
    expect(visitor.path()).toBe("/settings/security#sessions");
    for (const other of others) expect((await other.open("/settings")).path()).toContain("/login");
  });

  test("of another account are answered like unknown ones", async () => {
    const { address } = await newCustomer(site);
    const { visitor } = await newCustomer(site);
    const [foreign] = await sessionsOf(address);
    const answers = [];
    for (const session of [foreign?.id ?? "", "ses_00000000000000000000000000"]) {
      // Each attempt is a log entry, which the page shows.
      await (await site.database()).exec("delete from activities where result = 'refused'");
      await visitor.post({ intent: "end-session", session }, "/settings/security");
      answers.push([visitor.status, visitor.text().replace(/\d/g, "")]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(404);
    expect(await sessionsOf(address)).toEqual([{ id: foreign?.id, state: "active" }]);
  });
});

describe("an expired re-authentication", () => {
  test("is required again before a protected action, and returns to it", async () => {
    const { visitor, address } = await newCustomer(site);
    const other = await signIn(site, address, 2);
    await outdateReauthentications();
    await visitor.post({ intent: "end-other-sessions" }, "/settings/security");
    expect(visitor.heading()).toBe(verifyMessages.en.title["reauthentication"]);
    expect((await other.open("/settings")).path()).toBe("/settings");
    const before = visitor.cookies.get("__Host-session");

    await typeCode(visitor, await site.codeTo(address, 3));
    expect(visitor.path()).toMatch(/^\/settings\/security\?continue=req_\w+#sessions$/);
    expect(visitor.text()).toContain(flash.confirmed);
    expect(visitor.cookies.get("__Host-session")).not.toBe(before);
    await visitor.press(messages.endOthers);
    expect((await other.open("/settings")).path()).toContain("/login");
  });
});
