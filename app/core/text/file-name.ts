/**
 * "grey-gull-2" from "Grey Gull 2": ASCII letters, digits and dashes, valid in every file system and header; "account" when none remain.
 */
export function fileNamePart(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return plain || "account";
}
