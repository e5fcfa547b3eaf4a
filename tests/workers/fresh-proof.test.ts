import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { freshProofMs, type Viewer } from "#app/domain/accounts/rules.ts";
import { sweepAccounts } from "#app/domain/accounts/sweep-accounts.server.ts";
import { codeLifeMs } from "#app/domain/codes/rules.ts";
import { hourMs, minuteMs } from "#app/domain/kernel/time.ts";
import { deliverDueMails } from "#app/domain/mail/deliver-mail.server.ts";
import { CodeDriver } from "#tests/support/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/worker-app.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp({ payments: null });
  people += 1;
});

type Person = Viewer & { token: string };

function at(name: string): CodeDriver {
  return new CodeDriver(app, `${name}-${people}@example.com`);
}

async function first<Value>(query: string, ...values: string[]): Promise<Value | null> {
  return env.DB.prepare(query)
    .bind(...values)
    .first<Value>("is");
}

function stateOf(requestId: string) {
  return first<string>('select state as "is" from codes where id = ?', requestId);
}

function addressOf({ account }: Viewer) {
  return first<string>('select email as "is" from accounts where id = ?', account.id);
}

const wrongDigits = "00000000";

describe("the code of a fresh proof", () => {
  test("opens nothing for whoever has got its account's address meanwhile", async () => {
    const owner = at("owner");
    const { account, token } = await owner.signedIn();
    app.pass(minuteMs);
    const { requestId, digits } = await owner.asked("fresh-proof", "browser", account.id);
    // As it would be between the two statements of which one retires the code.
    await env.DB.prepare("update accounts set email = 'moved', email_canonical = 'moved' where id = ?")
      .bind(account.id)
      .run();
    await env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values (?1, 'active', ?2, ?2, 'en', 'UTC', '', 0)`)
      .bind(`acc_newcomer_${people}`, owner.address)
      .run();
    expect(await owner.prove(requestId, digits, "browser", token)).toEqual({
      ok: false,
      refusal: { reason: "no-request" },
    });
    expect(await first('select count(*) as "is" from sessions where account_id = ?', `acc_newcomer_${people}`)).toBe(0);
    expect(await stateOf(requestId)).toBe("issued");
  });

  test("confirms nothing without an account that it is about", async () => {
    const owner = at("nobodys");
    const { token } = await owner.signedIn();
    app.pass(minuteMs);
    const { requestId, digits } = await owner.asked("fresh-proof");
    expect(await owner.prove(requestId, digits, "browser", token)).toEqual({
      ok: false,
      refusal: { reason: "no-request" },
    });
  });

  test("is void once the address has changed, also where only a passkey could answer it still", async () => {
    const owner = at("void");
    const { account, token } = await owner.signedIn();
    app.pass(minuteMs);
    const proof = await owner.asked("fresh-proof", "browser", account.id);
    for (let tries = 0; tries < 5; tries += 1) await owner.prove(proof.requestId, wrongDigits);
    expect(await stateOf(proof.requestId)).toBe("exhausted");
    const to = at("void.new");
    const change = await to.asked("change-email", "browser", account.id);
    expect((await to.prove(change.requestId, change.digits, "browser", token)).ok).toBe(true);
    expect(await stateOf(proof.requestId)).toBe("superseded");
  });
});

describe("a code for a new address whose mail was held up", () => {
  /** Somebody whose proof is as old as it may be when the code is asked for; the mail leaves when that proof is `age` old. */
  async function heldUp(name: string, age: number) {
    const owner = at(name);
    const person: Person = await owner.signedIn();
    app.pass(freshProofMs - 1);
    app.isMailDown = true;
    const to = at(`${name}.new`);
    const { requestId } = await to.asked("change-email", "browser", person.account.id);
    app.isMailDown = false;
    app.pass(person.session.provenAt + age - app.clock());
    await deliverDueMails(app);
    await sweepAccounts(app);
    const mail = app.mails.findLast((candidate) => candidate.to === to.address);
    return { owner, person, to, requestId, digits: /\b\d{8}\b/.exec(mail?.subject ?? "")?.[0] ?? "no mail" };
  }

  test("works for as long as a code would that was asked for at the last moment, to the millisecond", async () => {
    const last = freshProofMs + codeLifeMs - 1;
    const { person, to, requestId, digits } = await heldUp("late", last);
    expect((await to.prove(requestId, digits, "browser", person.token)).ok).toBe(true);
    expect(await addressOf(person)).toBe(to.address);
    const later = await heldUp("too-late", last + 1);
    expect(await later.to.prove(later.requestId, later.digits, "browser", later.person.token)).toEqual({
      ok: false,
      refusal: { reason: "proof-stale" },
    });
    expect(await addressOf(later.person)).toBe(later.owner.address);
  });

  test("is not used up by that, and works after a new proof", async () => {
    const { owner, person, to, requestId, digits } = await heldUp("again", hourMs);
    expect(await to.prove(requestId, digits, "browser", person.token)).toMatchObject({
      refusal: { reason: "proof-stale" },
    });
    expect(await stateOf(requestId)).toBe("issued");
    const proof = await owner.asked("fresh-proof", "browser", person.account.id);
    const proven = await owner.prove(proof.requestId, proof.digits, "browser", person.token);
    if (!proven.ok) throw new Error(proven.refusal.reason);
    expect((await to.prove(requestId, digits, "browser", proven.value.sessionToken)).ok).toBe(true);
    expect(await addressOf(person)).toBe(to.address);
  });
});
