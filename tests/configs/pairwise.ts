/** What varies, and between which values. */
export type Factors = Readonly<Record<string, readonly string[]>>;
/** One value for each factor. */
export type Row = Readonly<Record<string, string>>;

type Cell = readonly [factor: string, value: string];

/**
 * Rows in which every two values of different factors are combined at least once (a pairwise covering array). Greedy
 * and deterministic: the same factors give the same rows in the same order.
 * https://csrc.nist.gov/projects/automated-combinatorial-testing-for-software
 */
export function coverPairs(factors: Factors): Row[] {
  const missing = new Set(pairsOf(factors));
  const rows: Row[] = [];
  for (const pair of missing) {
    const row = completeRow(factors, missing, pair);
    rows.push(row);
    for (const covered of pairsIn(row)) missing.delete(covered);
  }
  return rows;
}

/** Every pair that has to be in a row. */
export function pairsOf(factors: Factors): string[] {
  const names = Object.keys(factors);
  return names.flatMap((left, at) =>
    names
      .slice(at + 1)
      .flatMap((right) =>
        (factors[left] ?? []).flatMap((one) =>
          (factors[right] ?? []).map((other) => pairName([left, one], [right, other])),
        ),
      ),
  );
}

export function pairsIn(row: Row): string[] {
  const cells = Object.entries(row);
  return cells.flatMap((cell, at) => cells.slice(at + 1).map((other) => pairName(cell, other)));
}

/** Starts with a missing pair, and gives each other factor the value that adds the most missing pairs. */
function completeRow(factors: Factors, missing: ReadonlySet<string>, pair: string): Row {
  const names = Object.keys(factors);
  const inOrder = (one: Cell, other: Cell) =>
    names.indexOf(one[0]) < names.indexOf(other[0]) ? pairName(one, other) : pairName(other, one);
  const chosen = new Map(pair.split(" & ").map((cell): Cell => [cell.split("=")[0] ?? "", cell.split("=")[1] ?? ""]));
  for (const name of names) {
    if (chosen.has(name)) continue;
    const gain = (value: string) => {
      const now = [...chosen].filter((cell) => missing.has(inOrder(cell, [name, value]))).length;
      // On a tie: the value that is still missing beside the most others.
      const later = [...missing].filter((left) => left.split(" & ").includes(`${name}=${value}`)).length;
      return now * missing.size + later;
    };
    const values = factors[name] ?? [];
    chosen.set(name, values.toSorted((one, other) => gain(other) - gain(one))[0] ?? "");
  }
  return Object.fromEntries(names.map((name) => [name, chosen.get(name) ?? ""]));
}

function pairName([left, one]: Cell, [right, other]: Cell): string {
  return `${left}=${one} & ${right}=${other}`;
}
