import { beforeEach, expect, test } from "vitest";
import { readSetUpProgress } from "#app/modules/operators/reads/read-set-up-progress.server.ts";
import { done } from "#app/core/result.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let serviceId: string | null = null;
let app: TestApp;

beforeEach(() => {
  app = testApp({ payments: null, email: { send: async () => done({ serviceId }) } });
});

const emailStep = async () => (await readSetUpProgress(app)).steps.find(({ name }) => name === "email")?.state;

async function askForCode(address: string) {
  await new CodeDriver(app, address).ask({ purpose: "sign-up" });
  await app.settled();
}

test("an email that no service took, such as one to a demo's person, isn't a received one", async () => {
  await askForCode("anton@people.example");
  expect(await emailStep()).toBe("to-do");
  serviceId = "id-of-the-service";
  await askForCode("mara@company.com");
  expect(await emailStep()).toBe("done");
});
