import { expect, test } from "vitest";
import { addresses, fixedPaths } from "#tests/support/site/addresses.ts";

test("the pages whose paths never change are routes", () => {
  expect(addresses.map(({ pattern }) => pattern)).toEqual(expect.arrayContaining([...fixedPaths]));
});
