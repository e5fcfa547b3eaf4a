import { encode } from "uqr";
import { expect, test } from "vitest";
import { encodeQrCode, qrOptions } from "./encode-qr-code.server.ts";

test("the path covers exactly the dark modules", async () => {
  const text = "https://site.example/?ref=0123456789";
  const { path, size } = await encodeQrCode(text);
  const rendered = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    rendered[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  }
  expect(rendered).toEqual(encode(text, qrOptions).data);
});
