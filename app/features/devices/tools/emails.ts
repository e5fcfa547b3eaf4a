import type { EmailSamples } from "../../../../scripts/feature-tools.ts";
import type { DeviceEmail } from "../emails.messages.ts";

const url = "https://preview.example/settings";

export const deviceEmailSamples: EmailSamples<DeviceEmail> = {
  "licence-key-shown": [{ template: "licence-key-shown", device: "Firefox on Linux" }],
  "licence-key-rotated": [{ template: "licence-key-rotated" }],
  "seats-reduced": [
    {
      template: "seats-reduced",
      used: 3,
      seats: 1,
      removed: "7 December 2026",
      devices: "Laptop, Old tablet",
      more: 0,
      url,
    },
    {
      template: "seats-reduced",
      used: 10,
      seats: 3,
      removed: "7 December 2026",
      devices: "A, B, C, D, E",
      more: 2,
      url,
    },
  ],
  "seats-released": [
    { template: "seats-released", seats: 1, devices: "Laptop, Old tablet", more: 0, url },
    { template: "seats-released", seats: 3, devices: "A, B, C, D, E", more: 2, url },
  ],
};
