import { expect, test } from "vitest";
import { isReservedAddress } from "./reserved-address.ts";

test.each([
  "mara@people.example",
  "a@EXAMPLE",
  "ada@example.com",
  "ada@mail.example.org",
  "a@shop.test",
  "a@b.invalid",
])("%s can't have a mailbox", (address) => {
  expect(isReservedAddress(address)).toBe(true);
});

test.each(["ada@my-example.com", "ada@example.de", "ada@example.com.de", "test@company.com", "ada@latest.com"])(
  "%s can",
  (address) => {
    expect(isReservedAddress(address)).toBe(false);
  },
);
