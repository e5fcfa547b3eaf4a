import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { receiveForm } from "#app/http/forms/read-form.ts";
import { appContext, sessionCookieContext, viewerContext } from "#app/http/request/contexts.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import * as logout from "#app/routes/logout/route.ts";
import * as download from "#app/routes/settings/export/route.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { testApp } from "#tests/support/site/worker-app.ts";

const form = "application/x-www-form-urlencoded";

/** The actions that read no field of their form. */
const actions = { "/logout": logout.action, "/settings/export": download.action };

test.each(
  Object.entries(actions).flatMap(([path, action]) =>
    [form, "application/json", "text/plain", ""].map((type) => ({ path, action, type })),
  ),
)("$path refuses a megabyte of '$type' with 413, and does nothing", async ({ path, action, type }) => {
  const app = testApp();
  const viewer = await new CodeDriver(app, `large-${crypto.randomUUID()}@example.com`).signedIn();
  await app.settled();
  app.emails.length = 0;
  const request = new Request(`https://example.com${path}`, {
    method: "POST",
    headers: type === "" ? {} : { "Content-Type": type },
    body: new Uint8Array(1024 * 1024),
  });
  const context = new RouterContextProvider();
  context.set(appContext, app);
  context.set(sessionCookieContext, viewer.cookie);
  context.set(viewerContext, Promise.resolve(viewer));
  await receiveForm(request, context);
  // Only these parts of a request are read.
  await expect(Promise.resolve().then(() => action({ request, context } as never))).rejects.toMatchObject({
    init: { status: 413 },
  });
  await app.settled();
  expect(app.emails).toEqual([]);
  expect(await findSignedIn(app, viewer.cookie)).not.toBeNull();
});
