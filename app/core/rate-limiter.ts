/** The part of Cloudflare's rate limiting binding that is used here. */
export type RateLimit = { limit(options: { key: string }): Promise<{ success: boolean }> };

/** A rate limiter is no lock: where it fails, everybody passes, and it is told. Locks are rows in the database. */
export async function isRateLimited(cover: RateLimit, key: string, report: (error: unknown) => void): Promise<boolean> {
  try {
    const { success } = await cover.limit({ key });
    return !success;
  } catch (error) {
    report(error);
    return false;
  }
}
