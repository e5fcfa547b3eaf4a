import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A server of another company on a socket of its own: a script that counts its runs on `<html>`, sends a beacon, and adds a picture and a
 * frame, as analytics and chats do; a stylesheet; and a second script that the first one loads.
 */
export async function startThirdParty() {
  const requests: { path: string; referrer: string | undefined; cookie: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    // A browser of the tests has a header of its own, so that it asks before it sends anything.
    if (request.method !== "OPTIONS") requests.push({ path, referrer: headers.referer, cookie: headers.cookie });
    const [type, body] = contents[path.split("?")[0] ?? ""] ?? ["text/plain", ""];
    response.writeHead(200, {
      "Content-Type": type,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Headers": "*",
    });
    response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of that kind.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    paths: () => requests.map(({ path }) => path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const script = `{
  const own = new URL(document.currentScript.src).origin;
  const root = document.documentElement;
  root.dataset.runs = Number(root.dataset.runs ?? 0) + 1;
  root.dataset.domain = document.currentScript.dataset.domain;
  fetch(own + "/beacon?at=" + location.pathname, { method: "POST", body: "{}" });
  document.body.append(Object.assign(new Image(), { src: own + "/pixel", alt: "" }));
  document.body.append(Object.assign(document.createElement("iframe"), { src: own + "/frame", title: "Chat" }));
  document.head.append(Object.assign(document.createElement("script"), { src: own + "/second.js" }));
}`;

const contents: Record<string, [type: string, body: string]> = {
  "/script.js": ["text/javascript", script],
  "/second.js": ["text/javascript", "document.documentElement.dataset.second = 'ran'"],
  "/style.css": ["text/css", "html { --third-party: loaded }"],
  "/frame": ["text/html", "<!doctype html><title>Chat</title>"],
  "/pixel": [
    "image/svg+xml",
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><path d="M0 0h1v1H0z"/></svg>',
  ],
};
