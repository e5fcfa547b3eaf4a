/**
 * The licence key of an account: 160 random bits as 32 letters and figures of the alphabet that ids have (neither I, L, O nor U), and
 * one that checks them. What somebody types is read kindly: case, blanks, hyphens, O for 0 and I or L for 1 make no difference.
 */
import { type Random, toBase32 } from "#app/core/id.ts";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** 160 random bits. */
const keyBytes = 20;
/** Five bits per character, and one check character. */
const keyLetters = 33;

/** As it is shown: seven groups of four, and one of five. */
export function newLicenceKey(random: Random): string {
  const letters = toBase32(random(keyBytes));
  return groupLicenceKey(letters + alphabet.charAt(twice(remainder(letters))));
}

/** The bare letters of a key as it was typed or shown; null where no such key can be: a letter is wrong, missing, or changed places. */
export function readLicenceKey(typed: string): string | null {
  const letters = typed
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\u2010-\u2015\u2212-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  const isWhole = letters.length === keyLetters && [...letters].every((letter) => alphabet.includes(letter));
  return isWhole && remainder(letters) === 0 ? letters : null;
}

export function groupLicenceKey(letters: string): string {
  return (letters.toUpperCase().match(/.{4}(?=.{4})|.+$/g) ?? []).join("-");
}

/** What stands in its place until it is shown. */
export function hiddenLicenceKey(): string {
  return groupLicenceKey("\u2022".repeat(keyLetters));
}

/**
 * The letters as a polynomial over GF(32), at x = 2: nought for a whole key. Any one wrong letter and any two third-party services that changed
 * places leave something else.
 */
function remainder(letters: string): number {
  return [...letters].reduce((sum, letter) => twice(sum) ^ alphabet.indexOf(letter), 0);
}

/** Times x in GF(32), by x^5 + x^2 + 1. */
function twice(value: number): number {
  const shifted = value << 1;
  return shifted & 32 ? shifted ^ 37 : shifted;
}
