import { codeRetentionMs } from "#app/modules/codes/rules.ts";
import { sessionIdleMs } from "#app/modules/accounts/rules.ts";

/** What the cron job has marked or removed, if it last ran after `ranAt`. */
export const retentionInvariants = (ranAt: number): Record<string, string> => ({
  "no session is active past its limits": `select id from sessions where state = 'active'
    and (expires_at < ${ranAt} or last_used_at < ${ranAt - sessionIdleMs})`,
  "no code is valid past its ten minutes, or stored for more than a day": `select id from codes
    where created_at < ${ranAt - codeRetentionMs} or state = 'issued' and expires_at < ${ranAt}`,
});
