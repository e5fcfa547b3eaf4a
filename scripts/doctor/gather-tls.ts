import { isIP } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { secondMs } from "#app/core/time/time.ts";
import type { SiteFacts } from "./facts.ts";

const connectWithinMs = 10 * secondMs;

/** The certificate and protocol of a host, and an old protocol that it still accepts. */
export async function gatherTls(origin: string): Promise<SiteFacts["tls"]> {
  const { protocol: scheme, hostname, port } = new URL(origin);
  if (scheme !== "https:") return { unasked: "local" };
  const at = { host: hostname, port: Number(port || 443) };
  try {
    const { protocol, problem, validToAt } = await shakeHands(at, {});
    // Node's own security level would refuse what is to be tried here.
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const accepted = await shakeHands(at, old).catch(() => null);
    return { protocol, problem, validToAt, oldProtocol: accepted?.protocol ?? null };
  } catch (error) {
    return {
      unasked: `no encrypted connection to ${hostname}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function shakeHands(at: { host: string; port: number }, options: ConnectionOptions) {
  return new Promise<{ protocol: string; problem: string | null; validToAt: number }>((resolve, reject) => {
    // An untrusted certificate is what this looks for, and nothing is sent.
    const servername = isIP(at.host) ? undefined : at.host;
    const socket: TLSSocket = connect({ ...at, servername, rejectUnauthorized: false, ...options }, () => {
      const { valid_to } = socket.getPeerCertificate();
      resolve({
        protocol: socket.getProtocol() ?? "unknown",
        problem: socket.authorized ? null : String(socket.authorizationError),
        validToAt: Date.parse(valid_to),
      });
      socket.end();
    });
    socket.setTimeout(connectWithinMs, () => socket.destroy(new Error("it takes too long")));
    socket.on("error", reject);
  });
}
