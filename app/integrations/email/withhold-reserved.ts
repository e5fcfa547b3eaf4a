import { isReservedAddress } from "#app/core/text/reserved-address.ts";
import { done, refused } from "#app/core/result.ts";
import type { EmailTransport } from "./email-transport.ts";

/**
 * Never hands an address without a mailbox to an email service, which would count each as a bounce. Outside production such an email counts
 * as sent, since operators get its code by a call (`POST /demo-codes`). In production, customers see that no email reaches the address.
 */
export function withholdReserved(transport: EmailTransport, isProduction: boolean): EmailTransport {
  return {
    async send(email) {
      if (!isReservedAddress(email.to)) return transport.send(email);
      return isProduction ? refused({ reason: "address-refused" }) : done({ serviceId: null });
    },
  };
}
