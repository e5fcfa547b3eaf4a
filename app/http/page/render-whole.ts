import type { ReactNode } from "react";
import type { RenderToPipeableStreamOptions } from "react-dom/server";
import { renderToPipeableStream } from "react-dom/server.bun";

type Options = Pick<RenderToPipeableStreamOptions, "nonce" | "onError"> & { timeoutMs: number };

/**
 * A document as one string, when all of it is ready or after the timeout. React's build for Bun is the one that writes strings as they are:
 * the others encode each piece, a tenth of a page's time. Rejects when the shell can't be rendered.
 */
export function renderWhole(document: ReactNode, { timeoutMs, ...options }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    let html = "";
    const { pipe, abort } = renderToPipeableStream(document, {
      ...options,
      onShellError(error) {
        clearTimeout(timer);
        reject(error);
      },
      onAllReady() {
        clearTimeout(timer);
        pipe(page);
      },
    });
    const timer = setTimeout(() => abort(new Error("The page took too long to render")), timeoutMs);
    // The methods of a stream that React calls. Nothing here could drain, fail or close early.
    const page = {
      write: (piece: string) => Boolean((html += piece)),
      end: () => resolve(html),
      destroy: reject,
      on: () => page,
    } as unknown as NodeJS.WritableStream;
  });
}
