import { giveSeatBack } from "#app/domain/devices/remove-device.server.ts";
import { refuseToken } from "./answers.ts";
import { type Call, describeCall } from "./call.ts";

const removeCurrent = describeCall({
  method: "DELETE",
  path: "/devices/current",
  caller: "device",
  summary: "The device gives its seat back; its token ends",
  body: null,
  answers: [{ status: 204, what: "The seat is free", body: null }],
  problems: [],
  async run(app, { deviceId }) {
    const removed = await giveSeatBack(app, deviceId);
    return removed.ok ? { status: 204 } : refuseToken();
  },
});

export const deviceCalls: Call[] = [removeCurrent];
