import type { Branch, Node } from "./form-params.ts";
import { requireMetadataLimits } from "./metadata.ts";
import { invalid, missingParameter, unknownParameter } from "./stripe-errors.ts";

/**
 * Reads parameters from a form by name. Any that was never read is unknown and refused, so an endpoint's list of
 * parameters is the code that reads them and can't drift from it.
 */
export function readForm<T>(branch: Branch, take: (form: Form) => T): T {
  const form = new Form(branch, "");
  const taken = take(form);
  form.refuseRest();
  return taken;
}

export class Form {
  readonly #branch: Branch;
  readonly #prefix: string;
  readonly #read = new Set<string>();
  readonly #inner: Form[] = [];

  constructor(branch: Branch, prefix: string) {
    this.#branch = branch;
    this.#prefix = prefix;
  }

  pathTo(name: string): string {
    return this.#prefix === "" ? name : `${this.#prefix}[${name}]`;
  }

  text(name: string): string | undefined {
    const node = this.#take(name);
    if (node instanceof Map) throw invalid(`Invalid string: ${this.pathTo(name)}`, { param: this.pathTo(name) });
    return node;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === "") throw missingParameter(this.pathTo(name));
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined || value === "") return undefined;
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw invalid(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param: this.pathTo(name) });
  }

  requiredInteger(name: string): number {
    const value = this.integer(name);
    if (value === undefined) throw missingParameter(this.pathTo(name));
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined || value === "") return undefined;
    if (value === "true" || value === "false") return value === "true";
    throw invalid(`Invalid boolean: ${value}`, { param: this.pathTo(name) });
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    if (value === undefined || value === "") return undefined;
    const chosen = choices.find((choice) => choice === value);
    if (chosen !== undefined) return chosen;
    throw invalid(`Invalid ${this.pathTo(name)}: must be one of ${choices.join(", ")}`, { param: this.pathTo(name) });
  }

  group<T>(name: string, take: (form: Form) => T): T | undefined {
    const node = this.#take(name);
    // In Stripe's encoding an empty string unsets this group.
    if (node === undefined || node === "") return undefined;
    return take(this.#enter(name, node));
  }

  groups<T>(name: string, take: (form: Form) => T): T[] | undefined {
    const node = this.#take(name);
    if (node === undefined || node === "") return undefined;
    const list = this.#enter(name, node);
    return [...list.names()].map((index) => list.group(index, take)).filter((item) => item !== undefined);
  }

  texts(name: string): string[] | undefined {
    const node = this.#take(name);
    if (node === undefined || node === "") return undefined;
    if (!(node instanceof Map)) throw invalid("Invalid array", { param: this.pathTo(name) });
    return [...node.values()].filter((value) => typeof value === "string");
  }

  /** Keys with an empty value are to be removed, as at Stripe. */
  metadata(): Record<string, string> | undefined {
    const node = this.#take("metadata");
    if (node === undefined || node === "") return undefined;
    const list = this.#enter("metadata", node);
    const metadata = Object.fromEntries([...list.names()].map((key) => [key, list.text(key) ?? ""]));
    requireMetadataLimits(metadata, this.pathTo("metadata"));
    return metadata;
  }

  /** Reads `created=…` or `created[gte]=…` as a test of a value. */
  range(name: string): (value: number) => boolean {
    const node = this.#branch.get(name);
    if (!(node instanceof Map)) {
      const exact = this.integer(name);
      return (value) => exact === undefined || value === exact;
    }
    const bounds = this.group(name, (form) => ({
      gt: form.integer("gt"),
      gte: form.integer("gte"),
      lt: form.integer("lt"),
      lte: form.integer("lte"),
    }));
    return (value) =>
      value > (bounds?.gt ?? -Infinity) &&
      value >= (bounds?.gte ?? -Infinity) &&
      value < (bounds?.lt ?? Infinity) &&
      value <= (bounds?.lte ?? Infinity);
  }

  names(): Iterable<string> {
    return this.#branch.keys();
  }

  refuseRest(): void {
    for (const name of this.#branch.keys()) {
      if (!this.#read.has(name)) throw unknownParameter(this.pathTo(name));
    }
    for (const inner of this.#inner) inner.refuseRest();
  }

  #take(name: string): Node | undefined {
    this.#read.add(name);
    return this.#branch.get(name);
  }

  #enter(name: string, node: Node): Form {
    if (!(node instanceof Map)) throw invalid("Invalid object", { param: this.pathTo(name) });
    const inner = new Form(node, this.pathTo(name));
    this.#inner.push(inner);
    return inner;
  }
}
