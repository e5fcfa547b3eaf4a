import { expect, test } from "vitest";
import { isDemoId, toDemoIds } from "./demo-ids.ts";

const random = "AbCdEfGhIjKlMnOpQrStUvWx";

test.each(["cus", "sub", "sub_sched", "in", "cs", "pi", "ch", "price"])(
  "an id of %s becomes a demo's, once",
  (prefix) => {
    const id = `${prefix}_${random}`;
    expect(toDemoIds(id)).toBe(`${prefix}_demo_${random}`);
    expect(toDemoIds(toDemoIds(id))).toBe(toDemoIds(id));
    expect([isDemoId(id), isDemoId(toDemoIds(id))]).toEqual([false, true]);
    expect(toDemoIds(`{"invoice":"${id}"}`)).toContain(`_demo_${random}`);
  },
);

test.each(["acc_01hzx0kq5w9v8t7s6r5q4p3n2m", "ord_01hzx0kq5w9v8t7s6r5q4p3n2m", "2026-000041", "Plan in_progress"])(
  "%s stays",
  (text) => {
    expect(toDemoIds(text)).toBe(text);
    expect(isDemoId(text)).toBe(false);
  },
);
