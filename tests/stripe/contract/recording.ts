/** A call of the API and its answer, as they were on the wire. */
export type Call = {
  method: string;
  path: string;
  query: string;
  body: string;
  requestHeaders: Record<string, string>;
  status: number;
  headers: Record<string, string>;
  answer: string;
};

/** A webhook as it was sent to an endpoint. */
export type Delivery = { url: string; headers: Record<string, string>; body: string };

export type Recording = { calls: Call[]; deliveries: Delivery[]; events: unknown[] };
