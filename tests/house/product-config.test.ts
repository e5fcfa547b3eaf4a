import { expect, test } from "vitest";
import { judgeConfig } from "#app/domain/product/config.rules.ts";
import { product } from "#app/product.config.ts";

test("app/product.config.ts says nothing that can't be shown, charged or read", () => {
  expect(judgeConfig(product)).toEqual([]);
});
