const digit = /\p{Nd}/u;

/** What was typed or pasted as digits alone, for the field and for the server: whatever else is around and between them is dropped. */
export function normaliseDigits(typed: string): string {
  return asciiDigits(typed).replaceAll(/\D/g, "");
}

/** The text in its plain form (NFKC), with the digits of every script in ASCII. */
export function asciiDigits(typed: string): string {
  return typed.normalize("NFKC").replaceAll(/\p{Nd}/gu, decimalValue);
}

/** Unicode has the digits of a script in a row of ten, from zero to nine; two such rows may be adjacent. */
function decimalValue(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (digit.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
