import { createRequestHandler } from "react-router";

const handler = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

export default { fetch: (request) => handler(request) } satisfies ExportedHandler;
