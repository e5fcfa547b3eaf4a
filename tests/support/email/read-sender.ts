/** RFC 5322 with RFC 6532: characters beyond ASCII are in atoms and quoted strings. */
const atom = String.raw`[\w!#$%&'*+\-/=?^\`{|}~\u0080-\uffff]+`;
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const mailbox = new RegExp(
  `^((?:${atom}|${quoted})(?: (?:${atom}|${quoted}))*) <(${atom}(?:\\.${atom})*@[a-z0-9.-]+)>$`,
);
const addressAlone = new RegExp(`^(${atom}(?:\\.${atom})*@[a-z0-9.-]+)$`);

/** RFC 2047, Base64 alone. */
const encodedWord = /^=\?UTF-8\?B\?([A-Za-z0-9+/]+=*)\?=$/;
const encodedWordMax = 75;

/** The name and address that a reader sees for one sender; null: the header is none, or several. */
export function readSender(header: string): { name: string; address: string } | null {
  const [, alone] = addressAlone.exec(header) ?? [];
  if (alone !== undefined) return { name: "", address: alone };
  const [, phrase = "", address] = mailbox.exec(header) ?? [];
  if (address === undefined) return null;
  const parts = phrase.match(new RegExp(`${quoted}|${atom}`, "g")) ?? [];
  if (parts.some((word) => word.startsWith("=?") && word.length > encodedWordMax)) return null;
  let name = "";
  parts.forEach((word, index) => {
    const isAfterEncoded = encodedWord.test(word) && encodedWord.test(parts[index - 1] ?? "");
    name += `${index === 0 || isAfterEncoded ? "" : " "}${decoded(word)}`;
  });
  return { name, address };
}

function decoded(word: string): string {
  const base64 = encodedWord.exec(word)?.[1];
  // Throws if a word has a part of a character.
  if (base64 !== undefined) return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
  return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
}
