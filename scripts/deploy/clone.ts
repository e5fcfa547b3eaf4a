import { spawnSync } from "node:child_process";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";

/** False also where there is no git at all. */
export function isUncommitted(folder = "."): boolean {
  const { status, stdout } = spawnSync("git", ["-C", folder, "status", "--porcelain", "--untracked-files=normal"], {
    encoding: "utf8",
  });
  return status === 0 && stdout.trim() !== "";
}

/** Domains that nobody can own (RFC 2606), and the sample's own names: a first try may have them, a shop shouldn't. */
export function sampleMessages(): string[] {
  const { support, statusUrl, seller, start }: ProductConfig = product;
  return [
    ...(isReserved(support) ? [`support is ${support}`] : []),
    ...(isReserved(statusUrl) ? [`statusUrl is ${statusUrl}`] : []),
    ...(start.downloads.some(({ href }) => isReserved(href)) ? ["start.downloads lead to a sample domain"] : []),
    ...(seller.vatId === "DE123456789" ? [`seller is ${seller.name}, ${seller.vatId}`] : []),
  ];
}

const isReserved = (address: string): boolean =>
  /\.(example|test|invalid)(\/|$)|example\.(com|org|net)(\/|$)/.test(address);
