import { isReservedAddress } from "#app/core/text/reserved-address.ts";
import { done, refused } from "#app/core/result.ts";
import type { EmailTransport } from "./email-transport.ts";

/**
 * Never hands an address without a mailbox to an email service, which would count each as a bounce. Outside production it counts as sent,
 * since operators get its codes by a call (`POST /demo-codes`); customers see that no email reaches it.
 */
export function withholdReserved(transport: EmailTransport, isProduction: boolean): EmailTransport {
  return {
    async send(email) {
      if (!isReservedAddress(email.to)) return transport.send(email);
      return isProduction ? refused({ reason: "address-refused" }) : done({ serviceId: null });
    },
  };
}
