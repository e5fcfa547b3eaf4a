/** What a control call answers: always the events that it caused, and what the call itself is about. */
export interface ControlAnswer {
  events: { id: string; type: string; deliveries: { status: number }[] }[];
  session?: { id: string; status: string; payment_status: string };
  redirect?: string | null;
  refund?: { id: string; status: string; amount: number; charge: string };
  dispute?: { id: string; status: string; amount: number; charge: string };
  warning?: { id: string; charge: string; fraud_type: string };
  secret?: string;
  /** In the answer to a clock call: the account's time after it. */
  now?: number;
}

export type ControlCall =
  | "cancel"
  | "card"
  | "checkout"
  | "clock"
  | "debit"
  | "disorder"
  | "dispute"
  | "hold"
  | "pause"
  | "portal"
  | "refund"
  | "resend"
  | "retries"
  | "secret"
  | "warning";

/** Makes the control calls of an emulator at this address. */
export const controlAt =
  (origin: string) =>
  async (call: ControlCall, body: object): Promise<ControlAnswer> => {
    const response = await fetch(new URL(`/control/${call}`, origin), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`control ${call}: ${response.status} ${await response.text()}`);
    // The types are the README's; a wrong one fails the test that reads it.
    return response.json() as Promise<ControlAnswer>;
  };
