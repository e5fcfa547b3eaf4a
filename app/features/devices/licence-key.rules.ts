/**
 * The licence key of an account: 160 random bits as 32 characters of the alphabet of ids (without I, L, O and U), and a check character.
 * What users type is normalised: case, blanks, hyphens and invisible characters are ignored, O is read as 0, I and L as 1.
 */
import { type Random, toBase32 } from "#app/core/id.ts";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** 160 random bits. */
const keyBytes = 20;
/** Five bits per character, and one check character. */
const keyLength = 33;

/** A new key as it is shown: seven groups of four, and one of five. */
export function newLicenceKey(random: Random): string {
  const characters = toBase32(random(keyBytes));
  return groupLicenceKey(characters + alphabet.charAt(doubled(remainder(characters))));
}

/** The normalised key; null if it can't be a key: a character is wrong, missing or transposed. */
export function readLicenceKey(typed: string): string | null {
  const letters = typed
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}\u2212\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  const isWhole = letters.length === keyLength && [...letters].every((letter) => alphabet.includes(letter));
  return isWhole && remainder(letters) === 0 ? letters : null;
}

export function groupLicenceKey(letters: string): string {
  return (letters.toUpperCase().match(/.{4}(?=.{4})|.+$/g) ?? []).join("-");
}

/** The placeholder until the key is shown. */
export function hiddenLicenceKey(): string {
  return groupLicenceKey("\u2022".repeat(keyLength));
}

/**
 * The characters as a polynomial over GF(32), evaluated at x = 2: zero for a valid key. Any single wrong character and any transposition
 * of two neighbours gives another result.
 */
function remainder(letters: string): number {
  return [...letters].reduce((sum, letter) => doubled(sum) ^ alphabet.indexOf(letter), 0);
}

/** Multiplies by x in GF(32), modulo x^5 + x^2 + 1. */
function doubled(value: number): number {
  const shifted = value << 1;
  return shifted & 32 ? shifted ^ 37 : shifted;
}
