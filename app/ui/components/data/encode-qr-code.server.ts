/**
 * The component adds the quiet margin itself. All codes have the same mask: readers accept any of the eight, and drawing and comparing all
 * of them is nine tenths of the work. Of 300 links, this mask had the fewest patches of one colour.
 */
export const qrOptions = { ecc: "M", border: 0, maskPattern: 3 } as const;

/** What `ui/qr-code.tsx` renders: one path over the dark modules, a rectangle per run in each row. The encoder stays on the server. */
export async function encodeQrCode(text: string): Promise<{ path: string; size: number }> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, qrOptions);
  const path = data.flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1H${x}z`)).join("");
  return { path, size };
}

/** Start and length of each run of dark modules: a third of the path length that single modules would need. */
function darkRuns(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    runs.push([start, x + 1 - start]);
  }
  return runs;
}
