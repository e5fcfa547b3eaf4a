import { dayMs, minuteMs } from "#app/core/time/time.ts";

/** What the site promises, written here again and not taken from its rules. */
const promised = { codeMs: 10 * minuteMs, codeRowMs: dayMs, sessionIdleMs: 14 * dayMs, sessionMs: 90 * dayMs };

/** What the cron job has marked or removed, if it last ran after `ranAt`. */
export const retentionInvariants = (ranAt: number): Record<string, string> => ({
  "no session is active past its limits": `select id from sessions where state = 'active'
    and (expires_at < ${ranAt} or last_used_at < ${ranAt - promised.sessionIdleMs} or created_at < ${ranAt - promised.sessionMs})`,
  "no code is valid past its ten minutes, or stored for more than a day": `select id from codes
    where created_at < ${ranAt - promised.codeRowMs} or state = 'issued' and created_at < ${ranAt - promised.codeMs}`,
});
