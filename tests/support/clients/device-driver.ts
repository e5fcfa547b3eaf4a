import type { AccountId, DeviceId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { answerCall } from "#app/api/answer-call.ts";
import type { Call } from "#app/api/call.ts";
import { calls as allCalls } from "#app/api/calls.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { showLicenceKey } from "#app/features/devices/reads/show-licence-key.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { dayMs } from "#app/core/time/time.ts";
import { expectDocumentedHeaders } from "#tests/support/site/documented-headers.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";
import { networkAddresses } from "./network-addresses.ts";

let people = 0;
const nextNetwork = networkAddresses("192.0");

/** An account that signed in a moment ago, on a plan, which costs nothing here unless one is given. */
export async function aCustomer(app: TestApp, planId?: string, planState = "active"): Promise<Viewer> {
  people += 1;
  const id = `acc_devices_${people}` as const;
  const now = app.clock();
  await env.DB.batch([
    env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values (?1, 'active', ?2, ?2, 'en', 'UTC', '', 0)`).bind(id, `devices-${people}@example.com`),
    env.DB.prepare(`insert into sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
      values (?1, ?2, 'active', ?3, 'Firefox on Linux', ?4, ?4, ?4, ?5)`).bind(
      `ses_${id}`,
      id,
      await hashToken(`token of ${id}`),
      now,
      now + 90 * dayMs,
    ),
  ]);
  if (planId) await putOnPlan(id, planId, planState);
  return signedInAs(app, id);
}

/** The viewer that a request of this account has now. */
export async function signedInAs(app: TestApp, accountId: AccountId): Promise<Viewer> {
  const viewer = await findSignedIn(app, { sessionToken: `token of ${accountId}`, accountId });
  if (!viewer) throw new Error("not signed in");
  return viewer;
}

export async function putOnPlan(accountId: AccountId, planId: string, state = "active"): Promise<void> {
  await env.DB.prepare(
    `insert into subscriptions
       (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at, synced_at)
     values (?1, ?2, ?3, ?4, 'month', 600, 'EUR', 0, 9e15, 0)
     on conflict (id) do update set state = excluded.state, plan_id = excluded.plan_id`,
  )
    .bind(`sub_${accountId}`, accountId, state, planId)
    .run();
}

export async function keyOf(app: TestApp, viewer: Viewer): Promise<string> {
  const key = await showLicenceKey(app, viewer);
  if (!key.ok) throw new Error(key.refusal.reason);
  return key.value;
}

type Answered = { status: number; body: Record<string, unknown>; headers: Headers };

/** A call of the product API from a different network. */
export async function call(
  app: TestApp,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: object; headers?: Record<string, string> } = {},
  calls?: readonly Call[],
): Promise<Answered> {
  const answer = await answerCall(
    app,
    new Request(`http://localhost:8787/api/v1${path}`, {
      method,
      headers: {
        "CF-Connecting-IP": nextNetwork(),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }),
    calls,
  );
  const text = await answer.text();
  const json = text === "" ? {} : JSON.parse(text);
  const request = (calls ?? allCalls).find((each) => each.method === method && each.path === path);
  expectDocumentedHeaders(request, answer, json.code);
  return { status: answer.status, body: json, headers: answer.headers };
}

/** A machine activates. */
export function activate(app: TestApp, licenceKey: string, fingerprint: string, name = "Laptop"): Promise<Answered> {
  return call(app, "POST", "/devices", { body: { licenceKey, fingerprint, name, platform: "linux" } });
}

/** An activated machine's token. */
export async function aDevice(app: TestApp, licenceKey: string, fingerprint: string): Promise<string> {
  const { status, body } = await activate(app, licenceKey, fingerprint);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body["deviceToken"]);
}

export type DeviceRow = { id: DeviceId; state: string; name: string; last_seen_at: number; activated_at: number };

export async function devicesOf(accountId: AccountId): Promise<DeviceRow[]> {
  const { results } = await env.DB.prepare("select * from devices where account_id = ? order by activated_at, id")
    .bind(accountId)
    .all<DeviceRow>();
  return results;
}
