import type { Call, FeatureCallers } from "#app/api/call.ts";
import type * as v from "valibot";
import type { Challenge } from "./core/challenge.ts";
import type { ProblemCode } from "#app/api/problems.ts";
import type { Result } from "#app/core/result.ts";
import type { DraftPreview } from "#app/modules/operators/decision-emails.server.ts";
import type { App, Hooks } from "./app.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** What the Worker runs of a feature. */
export type FeatureServer = Hooks & {
  /** Opens the challenge that it has. Null if it is off. */
  openChallenge?(env: Env, origin: string, report: (error: unknown) => void): Challenge | null;
  caller?: ApiCaller;
  /** Its calls of the product API; none while it is off. */
  calls?(product: ProductConfig): Call[];
  /** Its calls of the operators' API. */
  operatorCalls?: readonly Call[];
  decisions?: OperatorDecisions;
  /** What the cron job does, once a minute. */
  jobs?: {
    /** Its emails go out in the same run. */
    beforeEmails?(app: App): Promise<unknown>;
  };
};

/** Who calls the product API with a token that the site issued to it. At most one feature has such a caller. */
export type ApiCaller = {
  name: keyof FeatureCallers;
  /** What it asks about a customer, as a sentence of the OpenAPI document. */
  asks: string;
  /** What its token is. */
  token: string;
  /** The claims of its entitlement. */
  entitlement(product: ProductConfig): v.GenericSchema;
  /** The id in a token. Null if we didn't issue it. */
  read(pepper: string, token: string): Promise<string | null>;
  isActive(db: App["db"], id: string): Promise<boolean>;
};

/** What operators can decide, by the words of the call. */
type OperatorDecisions = {
  names: readonly string[];
  problems: readonly ProblemCode[];
  /** Returns what the customer is sent. */
  decide(app: App, id: string, decision: string): Promise<Result<DraftPreview, { reason: ProblemCode }>>;
};
