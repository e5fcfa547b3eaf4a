import type { Recording } from "./normalise.ts";

export type Difference = {
  step: string;
  /** `POST /v1/refunds`, `facts` or `events`. */
  call: string;
  path: string;
  kind: "missing" | "unknown" | "type" | "value" | "length" | "status";
  /** What the first of the two had, and what the second. */
  one: unknown;
  other: unknown;
};

/** Every difference between a step of the emulator and the same step recorded elsewhere. */
export function compareRecordings(one: Recording, other: Recording): Difference[] {
  const differences: Difference[] = [];
  const add = (call: string, found: Omit<Difference, "step" | "call">[]) =>
    differences.push(...found.map((difference) => ({ step: one.step, call, ...difference })));
  const [left, right] = [byOccurrence(one), byOccurrence(other)];
  for (const call of new Set([...left.keys(), ...right.keys()])) {
    const [mine, theirs] = [left.get(call), right.get(call)];
    if (mine === undefined || theirs === undefined) {
      const kind = mine === undefined ? "missing" : "unknown";
      add(call, [{ path: "/", kind, one: mine?.status, other: theirs?.status }]);
      continue;
    }
    if (mine.status !== theirs.status)
      add(call, [{ path: "/", kind: "status", one: mine.status, other: theirs.status }]);
    add(call, compareValues(mine.answer, theirs.answer, ""));
  }
  add("facts", compareValues(one.facts, other.facts, ""));
  add("events", compareValues(one.events, other.events, ""));
  return differences;
}

/** The second retrieval of a subscription is compared with the second. */
function byOccurrence({ calls }: Recording): Map<string, Recording["calls"][number]> {
  const counts = new Map<string, number>();
  return new Map(
    calls.map((made) => {
      const count = (counts.get(made.call) ?? 0) + 1;
      counts.set(made.call, count);
      return [count === 1 ? made.call : `${made.call} (${count})`, made];
    }),
  );
}

type Found = Omit<Difference, "step" | "call">;

/** `missing`: the first lacks what the second has. `unknown`: the first has what the second lacks. */
function compareValues(one: unknown, other: unknown, path: string): Found[] {
  const [left, right] = [typeOf(one), typeOf(other)];
  if (left !== right) return [{ path: path || "/", kind: "type", one, other }];
  if (Array.isArray(one) && Array.isArray(other)) return compareLists(one, other, path);
  if (left === "object") return compareObjects(Object(one), Object(other), path);
  return one === other ? [] : [{ path: path || "/", kind: "value", one, other }];
}

function compareLists(one: unknown[], other: unknown[], path: string): Found[] {
  const length: Found[] =
    one.length === other.length ? [] : [{ path: path || "/", kind: "length", one: one.length, other: other.length }];
  const shared = one.slice(0, other.length);
  return [...length, ...shared.flatMap((item, at) => compareValues(item, other[at], `${path}/${at}`))];
}

function compareObjects(one: Record<string, unknown>, other: Record<string, unknown>, path: string): Found[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name): Found[] => {
    const inner = `${path}/${name}`;
    if (!(name in one)) return [{ path: inner, kind: "missing", one: undefined, other: other[name] }];
    if (!(name in other)) return [{ path: inner, kind: "unknown", one: one[name], other: undefined }];
    return compareValues(one[name], other[name], inner);
  });
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);

export const sayDifference = ({ step, call, path, kind, one, other }: Difference): string =>
  `${step}: ${call} ${path}: ${kind}: the emulator has ${say(one)}, Stripe ${say(other)}`;

function say(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
