/** Wraps text between words to lines of at most this many columns, indented from the second line on. A longer word isn't broken. */
export function wrap(text: string, { columns, indent = 0 }: { columns: number; indent?: number }): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const isRoom = last !== undefined && indent + last.length + 1 + word.length <= columns;
    if (isRoom) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
