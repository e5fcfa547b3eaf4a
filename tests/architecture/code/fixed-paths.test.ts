import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { addresses } from "#tests/support/site/addresses.ts";

test("the thirteen pages whose paths never change are routes", () => {
  expect(addresses.map(({ pattern }) => pattern.replace(/:(\w+)/g, "{$1}"))).toEqual(
    expect.arrayContaining([
      "/",
      "/signup",
      "/login",
      "/verify",
      "/waitlist",
      "/payment/{status}",
      "/settings",
      `/settings/${product.segment}/account`,
      `/settings/${product.segment}/plan`,
      `/settings/${product.segment}/settings`,
      "/settings/orders",
      "/settings/referral",
      "/settings/upgrade",
    ]),
  );
});
