/** "grey-gull-2" of "Grey Gull 2": plain letters, figures and dashes, which every file system and header takes; "account" of none. */
export function fileNamePart(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return plain || "account";
}
