import { data } from "react-router";
import type { Result } from "#app/core/result.ts";
import type { FormRefusal } from "./read-form.ts";

/** What one button of a page sends, by its `intent`. */
type FieldsOf<Fields, Intent> = Fields extends { intent: infer Own }
  ? Intent extends Own
    ? Fields & { intent: Intent }
    : never
  : never;

/**
 * The action of a page with several buttons: invalid fields are refused with what was typed, and each `intent` has its handler, of which the
 * compiler asks for all.
 */
export function answerForm<
  Fields extends { intent: string },
  Handlers extends { [Intent in Fields["intent"]]: (fields: FieldsOf<Fields, Intent>) => unknown },
>(form: Result<Fields, FormRefusal>, handlers: Handlers) {
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent }: { intent: Fields["intent"] } = form.value;
  const handle: (fields: never) => unknown = handlers[intent];
  // The handler of an intent takes the fields with that intent.
  return handle(form.value as never) as ReturnType<Handlers[Fields["intent"]]>;
}
