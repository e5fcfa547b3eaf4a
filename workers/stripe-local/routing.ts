import type { Books } from "./books.ts";
import { type Form, readForm } from "./form.ts";
import type { Branch } from "./form-params.ts";

export interface Route {
  method: "GET" | "POST" | "DELETE";
  pattern: RegExp;
  run(books: Books, params: Branch, ids: string[]): object;
}

/**
 * One endpoint: what it reads, then what it does. Reading ends with the refusal of unknown parameters, so nothing has
 * happened yet when a call is turned away.
 */
export function route<Input>(
  method: Route["method"],
  path: string,
  read: (form: Form) => Input,
  answer: (books: Books, input: Input, ...ids: string[]) => object,
): Route {
  return {
    method,
    pattern: new RegExp(`^${path.replaceAll(/:[a-z]+/g, "([^/]+)")}$`),
    run: (books, params, ids) => answer(books, readForm(params, read), ...ids),
  };
}

export const nothing = (): undefined => undefined;
