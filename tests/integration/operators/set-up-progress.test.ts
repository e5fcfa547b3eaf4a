import { beforeEach, expect, test } from "vitest";
import { readSetUpProgress } from "#app/modules/operators/reads/read-set-up-progress.server.ts";
import { joinWaitlist } from "#app/modules/waitlist/commands/join-waitlist.server.ts";
import { parseStoredAddress } from "#app/core/text/email-address.ts";
import { done } from "#app/core/result.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let serviceId: string | null = null;
let app: TestApp;

beforeEach(() => {
  app = testApp({ payments: null, email: { send: async () => done({ serviceId }) } });
});

const emailStep = async () => (await readSetUpProgress(app)).steps.find(({ name }) => name === "email")?.state;

async function join(address: string) {
  await joinWaitlist(app, { address: parseStoredAddress(address), ref: null, ip: "192.0.2.77" });
  await app.settled();
}

test("an email that no service took, such as one to a demo's waitlist entry, isn't a received one", async () => {
  await join("anton@people.example");
  expect(await emailStep()).toBe("to-do");
  serviceId = "id-of-the-service";
  await join("mara@company.com");
  expect(await emailStep()).toBe("done");
});
