import { expect } from "vitest";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { askForCode, signUp, typeCode } from "#tests/support/clients/customers.ts";
import type { Prepared, Visitor } from "#tests/support/clients/visitor.ts";
import type { Site } from "#tests/support/site/site.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { count, crowd, expectRefused, figures, forty, ledTo, own, type Race, together } from "./race.ts";

/** A visitor before the field for the code, which is in the email. */
async function requestCode(site: Site, path: string, address: string, nth = 1) {
  const visitor = await askForCode(await site.visitor().open(path), address);
  return { visitor, code: await site.codeTo(address, nth) };
}

async function changeAsked(site: Site, visitor: Visitor, to: string): Promise<string> {
  await visitor.post({ intent: "change-email", email: to }, "/settings/security");
  return site.codeTo(to);
}

export const accountRaces: Race[] = [
  {
    name: "a code to sign up opens one account and one session",
    async run(site, mark) {
      const address = `up-${mark}@example.com`;
      const { visitor, code } = await requestCode(site, "/signup", address);
      const answers = await forty(site, visitor.prepareSubmit("code", { code }));
      expect(ledTo(answers)).toEqual({ "/settings": 1 });
      expectRefused(answers, 409, verifyMessages.en.used.title);
      const counted = await figures(site, address, {
        accounts: "accounts where email_canonical = ?1",
        sessions: `sessions where account_id in ${own}`,
        lines: `activities where account_id in ${own}`,
        used: "codes where address = ?1 and state = 'used'",
      });
      expect(counted).toEqual({ accounts: 1, sessions: 1, lines: 1, used: 1 });
    },
  },
  {
    name: "a code to sign in opens one session",
    async run(site, mark) {
      const address = `in-${mark}@example.com`;
      await signUp(site, address);
      await (await site.database()).exec("delete from quota_uses");
      const { visitor, code } = await requestCode(site, "/login", address, 2);
      const answers = await forty(site, visitor.prepareSubmit("code", { code }));
      expect(ledTo(answers)).toEqual({ "/settings": 1 });
      expectRefused(answers, 409, verifyMessages.en.used.title);
      expect(await count(site, `sessions where account_id in ${own} and state = 'active'`, address)).toBe(2);
    },
  },
  {
    name: "wrong codes are counted one by one",
    async run(site, mark) {
      const address = `wrong-${mark}@example.com`;
      const { visitor, code } = await requestCode(site, "/signup", address);
      const wrong = (nth: number) => String((Number(code) + nth) % 100_000_000).padStart(8, "0");
      const guesses = Array.from({ length: crowd }, (_, index) =>
        visitor.prepareSubmit("code", { code: wrong(index + 1) }),
      );
      const answers = await together(site, guesses);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(crowd - 4);
      expect(await count(site, "codes where address = ?1 and state = 'exhausted' and wrong_tries = 5", address)).toBe(
        1,
      );
      await typeCode(visitor, code).catch(() => undefined);
      expect(await count(site, "accounts where email_canonical = ?1", address)).toBe(0);
    },
  },
  {
    name: "a change of address happens once, with one email",
    async run(site, mark) {
      const [from, to] = [`from-${mark}@example.com`, `to-${mark}@example.com`];
      const visitor = await signUp(site, from);
      const code = await changeAsked(site, visitor, to);
      const answers = await forty(site, visitor.prepareSubmit("code", { code }));
      expect(ledTo(answers)).toEqual({ "/settings/security#address": 1 });
      const counted = await figures(site, to, {
        accounts: "accounts where email_canonical = ?1",
        changes: `address_changes where account_id in ${own}`,
        sessions: `sessions where account_id in ${own} and state = 'active'`,
      });
      expect(counted).toEqual({ accounts: 1, changes: 1, sessions: 1 });
      const emails = await site.emailsTo(from, 2);
      expect(emails.filter(({ subject }) => subjectOf("address-changed").test(subject))).toHaveLength(1);
    },
  },
  {
    name: "two accounts that change to one address at once: one gets it, the other keeps its own",
    async run(site, mark) {
      const to = `wanted-${mark}@example.com`;
      const people = [await signUp(site, `one-${mark}@example.com`), await signUp(site, `two-${mark}@example.com`)];
      const requests: Prepared[] = [];
      for (const [index, visitor] of people.entries()) {
        await (await site.database()).exec("delete from quota_uses");
        await visitor.post({ intent: "change-email", email: to }, "/settings/security");
        const code = await site.codeTo(to, index + 1);
        requests.push(visitor.prepareSubmit("code", { code }));
      }
      const half = (index: number) =>
        Array.from({ length: crowd / 2 }, () => requests[index % 2]).flatMap((r) => r ?? []);
      const answers = await together(site, [...half(0), ...half(1)]);
      expect(ledTo(answers)).toEqual({ "/settings/security#address": 1 });
      expect(await count(site, "accounts where email_canonical = ?1", to)).toBe(1);
      expect(
        await count(
          site,
          "accounts where email_canonical in (?1, replace(?1, 'one-', 'two-'))",
          `one-${mark}@example.com`,
        ),
      ).toBe(1);
    },
  },
  {
    name: "an account is closed once, and restored once",
    async run(site, mark) {
      const address = `leaves-${mark}@example.com`;
      const visitor = await signUp(site, address);
      await visitor.open("/settings/data");
      const left = await forty(site, visitor.preparePress(accountClosingMessages.en.close.button));
      expect(ledTo(left)).toEqual({ "/settings#leaving": crowd });
      const state = (word: string) => count(site, `accounts where email_canonical = ?1 and state = '${word}'`, address);
      expect(await state("closed")).toBe(1);
      const lines = (what: string) =>
        count(site, `activities where account_id in ${own} and what = '${what}'`, address);
      expect(await lines("account-closed")).toBe(1);
      await visitor.open("/settings");
      const back = await forty(site, visitor.prepare({ intent: "restore" }, "/settings"));
      expect(ledTo(back)).toEqual({ "/settings#top": crowd });
      expect(await state("active")).toBe(1);
      expect(await lines("restored")).toBe(1);
    },
  },
];
