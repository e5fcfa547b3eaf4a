import { href } from "react-router";
import { expect, test } from "vitest";
import { orderPath } from "./page-paths.ts";

test("an email links to the page on which the site shows an order", () => {
  expect(orderPath("ord_0123")).toBe(href("/settings/orders/:order", { order: "ord_0123" }));
});
