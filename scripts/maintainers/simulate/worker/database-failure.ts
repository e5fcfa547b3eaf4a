/** What D1 throws when the connection to it breaks: the caller can't know whether anything was written. */
export class DatabaseFailure extends Error {
  constructor() {
    super("D1_ERROR: Network connection lost.");
  }
}

/** Drizzle wraps what the database throws. */
export function isDatabaseFailure(error: unknown): boolean {
  return error instanceof DatabaseFailure || (error instanceof Error && isDatabaseFailure(error.cause));
}
