import type { Result } from "#app/core/result.ts";

/** `bounced`: refused for good. `complained`: its recipient called it spam. */
export type EmailReturn = {
  kind: "bounced" | "complained";
  /** The service's own id of the email, which it gave when it took it. */
  serviceId: string;
  address: string;
};

/** What a service reports in one request. `confirmUrl`: it asks first whether these reports are wanted. */
export type ReturnReport = { returns: EmailReturn[]; confirmUrl: string | null };

export type ReturnsReader = {
  /** Reads a request to /webhooks/email. */
  read(headers: Headers, body: string): Promise<Result<ReturnReport, { reason: "report-unsigned" }>>;
  /** Answers the question whether reports are wanted. */
  confirm(url: string): Promise<void>;
};
