import * as v from "valibot";
import { replaceDemoCode } from "#app/modules/accounts/commands/replace-demo-code.server.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import { describeOperatorCall } from "./operator-call.ts";

export const demoCode = describeOperatorCall({
  method: "POST",
  path: "/demo-codes",
  summary: "The code that a browser waits for, of an address that can't have a mailbox; not in production",
  body: v.object({ address: emailField }),
  problems: ["no-demo", "address-not-reserved", "no-code-requested"],
  run: (app, { operator, body: { address } }) =>
    // No subject, because addresses aren't written to the log.
    logOperatorCall(app, { operator, call: "demo-code", subject: null }, () => replaceDemoCode(app, address)),
});
