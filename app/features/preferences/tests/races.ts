import { expect } from "vitest";
import { product } from "#app/product/config.ts";
import { activation, call } from "#tests/faults/device-requests.ts";
import { count, crowd, own, type Race, statuses, together } from "#tests/faults/race.ts";
import { licenceKeyOf, signUp } from "#tests/support/clients/customers.ts";
import { preferencesOf } from "../preferences.rules.ts";

export const preferencesRaces: Race[] = [
  {
    name: "of forty changes to the same preferences one is stored, and the others receive the current values",
    async run(site, mark) {
      const address = `settings-${mark}@example.com`;
      const key = await licenceKeyOf(await signUp(site, address));
      const [activated] = await together(site, [activation(key, mark)]);
      const { deviceToken } = JSON.parse(activated?.text ?? "{}");
      const Authorization = `Bearer ${deviceToken}`;
      const shown = await site.fetch("/api/v1/settings", { headers: { Authorization } });
      const etag = shown.headers.get("ETag") ?? "";
      const preference = preferencesOf(product).find(({ kind }) => kind === "number");
      if (preference?.kind !== "number") throw new Error("No preference of the config is a number");
      const changes = Array.from({ length: crowd }, (_, index) =>
        call("PUT", "/settings", { [preference.key]: preference.min + 1 + index }, { Authorization, "If-Match": etag }),
      );
      const answers = await together(site, changes);
      expect(statuses(answers)).toEqual({ 200: 1, 412: crowd - 1 });
      const winner = JSON.parse(answers.find(({ status }) => status === 200)?.text ?? "{}");
      for (const { status, text } of answers) if (status === 412) expect(JSON.parse(text).current).toEqual(winner);
      expect(await count(site, `preferences where account_id in ${own} and version = 1`, address)).toBe(1);
    },
  },
];
