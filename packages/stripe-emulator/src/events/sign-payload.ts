/** Stripe's scheme: `t=<unix seconds>,v1=<hmac sha-256 of "t.body">`, one v1 per secret that is valid now. */
export async function signPayload(body: string, secrets: string[], timestamp: number): Promise<string> {
  const signatures = await Promise.all(secrets.map((secret) => hmac(secret, `${timestamp}.${body}`)));
  return [`t=${timestamp}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
