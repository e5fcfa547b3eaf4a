/**
 * The intents that a form's schema accepts: of one set of fields, or of several. None for a form with a single
 * purpose.
 */
export function formIntentsOf(schema: object): string[] {
  const sets = "options" in schema ? (schema.options as object[]) : [schema];
  return sets.flatMap((set) => {
    const { intent } = (set as { entries: { intent?: object } }).entries;
    return intent ? wordsOf(intent) : [];
  });
}

/** The words that a field accepts, if it accepts a list. */
export function wordsOf(field: object): string[] {
  if ("pipe" in field) return (field.pipe as object[]).flatMap(wordsOf);
  if ("wrapped" in field) return wordsOf(field.wrapped as object);
  if ("options" in field) return field.options as string[];
  return "literal" in field ? [field.literal as string] : [];
}
