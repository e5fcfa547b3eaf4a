import { afterAll, beforeAll } from "vitest";

/** What runs from the first test of a file to its last one. It has no members before. */
export function useRunning<Running extends { close: () => unknown }>(start: () => Promise<Running>): Running {
  const running = {} as Running;
  let started: Running | undefined;
  beforeAll(async () => {
    started = await start();
    Object.assign(running, started);
  });
  afterAll(() => started?.close());
  return running;
}
