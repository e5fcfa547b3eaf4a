/** The part of Cloudflare's rate limiting binding that is used here. */
export type RateLimit = { limit(options: { key: string }): Promise<{ success: boolean }> };

/** Fails open: when the rate limiter fails, the request is allowed and the failure reported. Hard limits are rows in the database. */
export async function isRateLimited(cover: RateLimit, key: string, report: (error: unknown) => void): Promise<boolean> {
  try {
    const { success } = await cover.limit({ key });
    return !success;
  } catch (error) {
    report(error);
    return false;
  }
}
