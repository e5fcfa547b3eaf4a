/** A line of a document: text at the left edge, and its value in a second column. */
export interface PdfLine {
  text: string;
  right?: string;
  isHeading?: boolean;
}

const PAGE = { width: 595, height: 842, margin: 56, rightColumn: 430 };
const LINE_HEIGHT = 18;
const LINES_PER_PAGE = Math.floor((PAGE.height - 2 * PAGE.margin) / LINE_HEIGHT);
/** Maximum text length at the line's font size: nothing overlaps the second column or leaves the page. */
const LETTERS_MAX = 80;

/** Plain text on A4 in the fonts that every PDF reader has: enough for a local invoice. */
export function writePdf(title: string, lines: PdfLine[]): string {
  const pages: PdfLine[][] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_PAGE) pages.push(lines.slice(at, at + LINES_PER_PAGE));
  const firstPage = 6;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(" ")}] >>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    `<< /Title ${literal(title)} /Producer (Stripe emulator) >>`,
    ...pages.flatMap((page, index) => {
      const content = page.map(renderLine).join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return assemble(objects);
}

/** Everything is ASCII, so that characters are bytes and the table of offsets can count them. */
function assemble(objects: string[]): string {
  let file = "%PDF-1.4\n";
  const offsets: string[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(`${String(file.length).padStart(10, "0")} 00000 n `);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = ["0000000000 65535 f ", ...offsets].join("\n");
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n${table}\ntrailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

const font = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

function renderLine({ text, right, isHeading = false }: PdfLine, index: number): string {
  const y = PAGE.height - PAGE.margin - index * LINE_HEIGHT;
  const style = isHeading ? "/F2 16 Tf" : "/F1 11 Tf";
  const at = (x: number, written: string): string => `BT ${style} ${x} ${y} Td ${literal(written)} Tj ET`;
  return [at(PAGE.margin, text), right === undefined ? "" : at(PAGE.rightColumn, right)].filter(Boolean).join("\n");
}

/** In WinAnsi, which has the letters of Western Europe; other letters become a question mark. */
const literal = (text: string): string =>
  `(${[...text.slice(0, LETTERS_MAX)].map((letter) => encode(letter)).join("")})`;

const EURO = 0x80;

function encode(letter: string): string {
  const code = letter === "€" ? EURO : (letter.codePointAt(0) ?? 0);
  if (code > 0xff || code < 0x20) return "?";
  return code > 0x7e || "()\\".includes(letter) ? `\\${code.toString(8).padStart(3, "0")}` : letter;
}
