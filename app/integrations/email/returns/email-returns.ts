import type { Result } from "#app/core/result.ts";

/** `bounced` means that the address was refused for good, `complained` that the recipient called the email spam. */
export type EmailReturn = {
  kind: "bounced" | "complained";
  /** The service's own id of the email, which it returned when it accepted it. */
  serviceId: string;
  address: string;
};

/** What a service reports in one request. With a `confirmUrl`, it asks first whether these reports are wanted. */
export type ReturnReport = { returns: EmailReturn[]; confirmUrl: string | null };

export type ReturnsReader = {
  /** Reads a request to /webhooks/email. */
  read(headers: Headers, body: string): Promise<Result<ReturnReport, { reason: "report-unsigned" }>>;
  /** Confirms that the reports are wanted. */
  confirm(url: string): Promise<void>;
};
