/** Query parameter of the URL to which the billing portal returns. */
export const portalParameter = "portal";
/** Query parameter with which the page asks again why the plan was cancelled. */
export const askReasonParameter = "why";
