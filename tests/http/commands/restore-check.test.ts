import { expect, test } from "vitest";
import { useSite } from "#tests/support/site/use-site.ts";
import { newcomer } from "../../../scripts/maintainers/restore-check/lost-hour.ts";
import { proveRestore } from "../../../scripts/maintainers/restore-check/prove-restore.ts";
import { spellProof } from "../../../scripts/maintainers/restore-check/spell-proof.ts";

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

test("npm run restore-check: money and access of an hour that was lost come back, and the rest is listed", async () => {
  const proof = await proveRestore(site);
  expect(proof.differences).toEqual([]);
  expect(proof.byHand).toEqual([expect.stringContaining(newcomer)]);
  expect(proof.lost).toEqual(expect.arrayContaining([expect.stringContaining("devices (1)")]));
  expect([proof.lostVisits, proof.accounts]).toEqual([1, 7]);
  expect(spellProof(proof)[0]).toMatch(/^Repaired: /);
  expect(spellProof({ ...proof, differences: ["one"] }).slice(0, 2)).toEqual(["Not repaired:", "  - one"]);
}, 900_000);
