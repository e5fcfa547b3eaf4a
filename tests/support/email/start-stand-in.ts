import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type StandInRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type Answer = { status: number; headers?: Record<string, string>; body: object | string };
export type ReceivedEmail = { from: string; replyTo: string; to: string; subject: string; text: string; html: string };

/** What a service does with the next emails. */
export type Mood = "accepting" | "address-refused" | "rate-limited" | "quota-exhausted" | "failing" | "silent";

/** An email service as it documents itself: what it takes, and how it answers in each mood. */
export type Protocol = {
  /** What the Worker is set up with, given where the stand-in listens. */
  variables: (origin: string) => Record<string, string>;
  /** The email of a well-formed request with the right credentials; otherwise the service's own refusal. */
  read: (request: StandInRequest) => ReceivedEmail | { refusal: Answer };
  accept: (id: string) => Answer;
  refusals: Record<"address-refused" | "rate-limited" | "quota-exhausted", Answer>;
  /** Whether the service recognises a repetition, and by which header. */
  repetitionHeader: "idempotency-key" | null;
};

/** A service's stand-in on a socket of its own. Answers nothing but what the protocol allows. */
export async function startStandIn(protocol: Protocol) {
  const received: ReceivedEmail[] = [];
  const requests: StandInRequest[] = [];
  const idOf = new Map<string, string>();
  const unanswered = new Set<ServerResponse>();
  let mood: Mood = "accepting";

  const idOfNewest = () => `00000000-0000-4000-8000-${String(received.length).padStart(12, "0")}`;

  function answer(request: StandInRequest): Answer {
    const email = protocol.read(request);
    if ("refusal" in email) return email.refusal;
    if (mood === "failing") return { status: 503, body: "<html>Service Unavailable</html>" };
    if (mood !== "accepting" && mood !== "silent") return protocol.refusals[mood];
    const key = protocol.repetitionHeader ? String(request.headers[protocol.repetitionHeader] ?? "") : "";
    const before = idOf.get(key);
    if (before !== undefined) return protocol.accept(before);
    received.push(email);
    const id = idOfNewest();
    if (key !== "") idOf.set(key, id);
    return protocol.accept(id);
  }

  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    requests.push(request);
    if (mood === "silent") {
      unanswered.add(response);
      response.on("close", () => unanswered.delete(response));
      return;
    }
    const { status, headers: own, body } = answer(request);
    response.writeHead(status, { "Content-Type": "application/json", ...own });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of that kind.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    variables: protocol.variables(origin),
    /** Each email once, oldest first. */
    received,
    /** The id that the service gave the newest email. */
    idOfNewest,
    /** Everything that arrived, refused or not. */
    requests,
    /** Requests whose sender still waits. */
    unanswered: () => unanswered.size,
    be: (next: Mood) => {
      mood = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The request's body as a JSON object with these texts and no other fields; null if it is anything else. */
export function textsOf(body: string, names: readonly string[]): Record<string, string> | null {
  try {
    const fields = Object.entries(JSON.parse(body) as Record<string, unknown>);
    const texts = fields.flatMap(([name, value]) =>
      typeof value === "string" && names.includes(name) ? [[name, value] as const] : [],
    );
    return texts.length === names.length && fields.length === names.length ? Object.fromEntries(texts) : null;
  } catch {
    return null;
  }
}
