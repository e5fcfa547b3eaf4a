/** A refusal in Stripe's own format. Thrown by commands, turned into a response by the API's entry point. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

interface ErrorBody {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  payment_intent?: object;
}

export const invalid = (message: string, extra: { code?: string; param?: string } = {}): StripeRefusal =>
  new StripeRefusal(400, { type: "invalid_request_error", message, ...extra });

export const missingObject = (noun: string, id: string, param = "id"): StripeRefusal =>
  new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${noun}: '${id}'`,
    param,
  });

/** An object named in a parameter rather than in the path: Stripe answers 400, not 404. */
export const missingReference = (noun: string, id: string, param: string): StripeRefusal =>
  invalid(`No such ${noun}: '${id}'`, { code: "resource_missing", param });

export const unknownParameter = (param: string): StripeRefusal =>
  invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });

export const missingParameter = (param: string): StripeRefusal =>
  invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param });

export const unknownUrl = (method: string, path: string): StripeRefusal =>
  new StripeRefusal(404, { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${path}).` });

export function errorBody({ body }: StripeRefusal): { error: ErrorBody } {
  const doc =
    body.code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}` };
  return { error: { ...body, ...doc } };
}

export const errorResponse = (refusal: StripeRefusal, headers: Record<string, string> = {}): Response =>
  Response.json(errorBody(refusal), { status: refusal.status, headers });
