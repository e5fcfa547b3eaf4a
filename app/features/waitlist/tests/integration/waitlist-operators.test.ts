import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { gateName } from "#app/modules/catalogue/gate.rules.ts";
import type { DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { product } from "#app/product/config.ts";
import { pattern } from "#tests/support/billing/catalogue.ts";
import { askAsOperator, operatorToken as token } from "#tests/support/clients/operator-driver.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { cronJobs } from "#workers/cron.ts";

let app: TestApp;
const ask = (...[path, init]: [string, Parameters<typeof askAsOperator>[2]?]) => askAsOperator(app, path, init);

beforeEach(() => emptyTables("operator_log", "accounts", "emails", "entries", "waves"));

describe("the waitlist for operators", () => {
  const gate = { kind: "plan", planId: "golden" } as const;

  beforeEach(async () => {
    app = testApp({ operatorToken: token, gate });
    await env.DB.prepare("delete from entries").run();
    const add = env.DB.prepare(
      `insert into entries (id, gate, state, review, email, email_canonical, confirm_hash, entry_hash, share_code, created_at,
         confirm_expires_at, confirmed_at)
       values (?1, 'plan:golden', 'waiting', ?2, ?1 || '@example.com', ?1 || '@example.com', ?1, ?1, ?1, 0, 0, ?3)`,
    );
    await env.DB.batch(
      ["ent_a", "ent_b", "ent_c"].map((id, nth) => add.bind(id, nth === 1 ? "under-review" : "none", nth)),
    );
  });

  test("invites the next entries, except flagged ones, and shows who waits and who is invited", async () => {
    expect((await ask("/invitations", { body: { count: 0 } })).json["code"]).toBe("invalid-fields");
    const { json } = await ask("/invitations", { body: { count: 5 } });
    expect(json).toMatchObject({
      invited: 2,
      people: ["ent_a", "ent_c"].map((id) => ({ id, email: `${id}@example.com` })),
      told: { pages: [], emails: [{ to: null, when: "now" }] },
    });
    await cronJobs.emails(app);
    // As it was sent, except for the links, which differ for each recipient.
    const [sent] = app.emails;
    const [email] = (json["told"] as DecisionPreview).emails;
    expect(email?.subject).toBe(sent?.subject);
    expect(email?.text).toBe(
      sent?.text.replace(/(\?entry=)[\w.-]+/, "$1…").replace(/.*\n.*unsubscribe\?token=.*\n/, ""),
    );
    expect(JSON.stringify(json)).not.toMatch(/entry=[\w.-]/);
    expect((await ask("/entries")).json["entries"]).toMatchObject([{ id: "ent_b", review: "under-review" }]);
    expect((await ask("/entries?state=invited")).json["entries"]).toHaveLength(2);
    expect((await ask("/person?address=ent_a@example.com")).json).toMatchObject({
      account: null,
      waitlist: [{ id: "ent_a", state: "invited" }],
    });
    app = testApp({ operatorToken: token, gate: { kind: "none" } });
    expect((await ask("/invitations", { body: { count: 5 } })).json["code"]).toBe("no-gate");
  });

  test("lists its flagged entries among the pending decisions, and each is decided once", async () => {
    expect((await ask("/review")).json["entries"]).toMatchObject([{ id: "ent_b" }]);
    const body = { id: "ent_b", decision: "clear", reason: "A class that signed up together" };
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask("/decisions", { body })));
    const decided = answers.filter(({ status }) => status === 200);
    expect(decided).toHaveLength(1);
    const what = gateName(product, "plan:golden");
    const invitation = emailOf({
      template: "waitlist-invited",
      what,
      missesMax: 2,
      until: "5 days after this email",
      url: "",
    });
    expect(decided[0]?.json["told"]).toMatchObject({
      emails: [
        {
          to: "ent_b@example.com",
          when: "when-invited",
          text: expect.stringMatching(pattern`${invitation.before[0]}[^]*\?entry=…`),
        },
      ],
      pages: [{ page: "waitlist", shows: "waiting", what }],
    });
    await env.DB.exec("update entries set review = 'under-review' where id = 'ent_c'");
    const rejected = await ask("/decisions", { body: { ...body, id: "ent_c", decision: "reject" } });
    expect(rejected.json["told"]).toEqual({ emails: [], pages: [{ page: "waitlist", shows: "rejected", what }] });
    expect(answers.filter(({ json }) => json["code"] === "decided-already")).toHaveLength(39);
    expect((await ask("/decisions", { body: { ...body, id: "ent_x" } })).json["code"]).toBe("entry-unknown");
    expect((await ask("/decisions", { body: { ...body, id: "ref_x", decision: "void" } })).json["code"]).toBe(
      "referral-unknown",
    );
  });
});

test("a person's emails include those about their place", async () => {
  app = testApp({ operatorToken: token });
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_ben', 'active', 'ben@example.com', 'ben@example.com', 'en', 'UTC', '', 0)`,
    ),
    env.DB.prepare(
      `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at)
       values ('ent_ben', 'signup', 'invited', 'ben@example.com', 'ben@example.com', 'a', 'b', 'c', 0, 0)`,
    ),
    ...[
      ["ent_ben.invited.1", "waitlist-invited", "ent_ben"],
      ["rfr_1.discount-refused", "friend-discount-refused", "acc_ben"],
      ["rfr_2.earned", "reward-earned", "acc_other"],
    ].map(([cause, template, recipient]) =>
      env.DB.prepare(
        "insert into emails (id, state, template, created_at, recipient_id) values (?, 'sent', ?, 0, ?)",
      ).bind(`mail_${cause}`, template, recipient),
    ),
  ]);
  const { json } = await ask("/person?address=ben@example.com");
  const ids = (json["mails"] as { id: string }[]).map(({ id }) => id).toSorted();
  expect(ids).toEqual(["mail_ent_ben.invited.1", "mail_rfr_1.discount-refused"]);
});
