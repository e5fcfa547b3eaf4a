import type { Plugin } from "vite";

/** What libraries do for cases that the site hasn't, left out of the build. */
export const lighterLibraries = (): Plugin[] => [
  withoutLegacyRenderer(),
  withoutByteCounts(),
  withoutProcess(),
  withoutRouteDiscovery(),
];

/**
 * react-dom/server includes its old renderer (`renderToString`), which nothing here calls: 28.9 kB gzip of 581 in the Worker. Not
 * replaced: the parts of Stripe's SDK that nothing uses are 10.3 kB, Sentry's instrumentation of language models 2.4,
 * the browser's passkey code in the Worker 2.8, and React Router's instrumentations in the browser 1.2, each too little to be worth it.
 */
function withoutLegacyRenderer(): Plugin {
  return {
    name: "without-legacy-renderer",
    apply: "build",
    load: { filter: { id: /react-dom-server-legacy/ }, handler: () => "export {};" },
  };
}

/**
 * React counts the bytes of each piece of a page, of which there are thousands, to decide what a stream sends later. No page streams, and
 * the number of characters will do.
 */
function withoutByteCounts(): Plugin {
  const counting = 'Buffer.byteLength(chunk, "utf8")';
  return {
    name: "without-byte-counts",
    apply: "build",
    transform: {
      filter: { id: /react-dom-server\.bun\.production/ },
      handler(code) {
        if (!code.includes(counting)) throw new Error("React no longer counts bytes the way it did");
        return { code: code.replace(counting, "chunk.length"), map: null };
      },
    },
  };
}

/**
 * Node's `process` is built when it is first read: 5 ms of an isolate's first page. Three places in libraries look whether there is one,
 * React Router for each page; the Worker gets its variables from `env`.
 */
function withoutProcess(): Plugin {
  return {
    name: "without-process",
    apply: "build",
    configEnvironment: (name) => (name === "ssr" ? { define: { process: "undefined" } } : undefined),
  };
}

/**
 * Browsers know all routes (`routeDiscovery` in react-router.config.ts), and the code that would ask for more is 1 kB gzip of each page. An
 * export that is missing after an update of React Router stops the build.
 */
function withoutRouteDiscovery(): Plugin {
  const unused = `
export const isFogOfWarEnabled = () => false;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => undefined;
export const getPartialManifest = () => undefined;
export const handleClientVersionMismatch = async () => false;
export const getPathsWithAncestors = (paths) => paths;
export const getManifestPath = () => "";`;
  return {
    name: "without-route-discovery",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    load: { filter: { id: /react-router\/dist\/production\/lib\/dom\/ssr\/fog-of-war/ }, handler: () => unused },
  };
}
