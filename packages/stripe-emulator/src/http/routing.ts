import type { Transaction } from "../transaction.ts";
import { type Form, readForm } from "./form.ts";
import type { Branch } from "./form-params.ts";

export interface Route {
  method: "GET" | "POST" | "DELETE";
  pattern: RegExp;
  /** Reads the parameters; the function that it returns does the work. */
  prepare(params: Branch): (tx: Transaction, ids: string[]) => object;
}

/**
 * One endpoint: reads its parameters, then does its work. Reading ends with the refusal of unknown parameters, so nothing has
 * been written yet when a call is refused.
 */
export function route<Input>(
  method: Route["method"],
  path: string,
  read: (form: Form) => Input,
  answer: (tx: Transaction, input: Input, ...ids: string[]) => object,
): Route {
  return {
    method,
    pattern: new RegExp(`^${path.replaceAll(/:[a-z]+/g, "([^/]+)")}$`),
    prepare: (params) => {
      const input = readForm(params, read);
      return (tx, ids) => answer(tx, input, ...ids);
    },
  };
}

export const nothing = (): undefined => undefined;
