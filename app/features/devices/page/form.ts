import * as v from "valibot";
import { text } from "#app/core/text/text.ts";
import { givenNameLengthMax, visible } from "#app/features/devices/rules.ts";

const deviceField = v.pipe(text(), v.maxLength(100, "too-long"));
/** Empty for the machine's own name. */
const givenNameField = v.pipe(
  text({ malformed: "device-name-malformed" }),
  v.transform(visible),
  v.maxLength(givenNameLengthMax, "device-name-too-long"),
);

export const devicesForm = v.variant(
  "intent",
  [
    v.object({ intent: v.picklist(["show-key", "rotate-key"]) }),
    v.object({ intent: v.literal("remove-device"), device: deviceField }),
    v.object({ intent: v.literal("rename-device"), device: deviceField, name: givenNameField }),
  ],
  "intent-unknown",
);
