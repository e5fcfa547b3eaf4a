import { describe, expect, test } from "vitest";
import { checkPlans } from "./config-plans.rules.ts";
import { withPoints } from "./points.rules.ts";
import { product } from "#app/product/config.ts";

const configOf = (limits: { devices: number; [limit: string]: number }, points: string[]) =>
  withPoints({
    ...product,
    locale: "en-GB",
    plans: [{ id: "a", name: "A", tagline: "", prices: null, limits, points }],
    meters: [{ key: "space", label: "Space", kind: "last", unit: "bytes", limit: "sizeBytes" }],
  });
const pointsOf = (limits: { devices: number; [limit: string]: number }, ...points: string[]) =>
  configOf(limits, points).plans.flatMap((plan) => plan.points);

describe("a plan's points", () => {
  test("say its limits, each in its unit", () => {
    const limits = { devices: 3, sizeBytes: 500_000_000_000, days: 1_000 };
    expect(pointsOf(limits, "{devices} devices", "{sizeBytes} in all", "Kept for {days} days", "Help")).toEqual([
      "3 devices",
      "500\u00a0GB in all",
      "Kept for 1,000 days",
      "Help",
    ]);
  });

  test("say bytes in a product without meters, too", () => {
    const limits = { devices: 3, spaceBytes: 5_000_000_000, kilobytes: 5_000 };
    expect(pointsOf(limits, "{spaceBytes} in all", "{kilobytes} KB")).toEqual(["5\u00a0GB in all", "5,000 KB"]);
  });

  test("change with them", () => {
    const point = "{devices} devices with {sizeBytes}";
    const [before] = pointsOf({ devices: 3, sizeBytes: 10 ** 9 }, point);
    expect(pointsOf({ devices: 4, sizeBytes: 10 ** 9 }, point)).not.toEqual([before]);
    expect(pointsOf({ devices: 3, sizeBytes: 10 ** 10 }, point)).not.toEqual([before]);
  });

  test("may not name a limit that the plan doesn't have", () => {
    const limits = { devices: 3, sizeBytes: 1 };
    const codesOf = (point: string) => checkPlans(configOf(limits, [point])).map(({ code }) => code);
    expect(codesOf("{devices} devices")).toEqual([]);
    expect(codesOf("{seats} devices")).toEqual(["point-unknown"]);
  });
});
