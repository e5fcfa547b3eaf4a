export declare const environment: Record<string, string | undefined>;
export declare function run(
  command: string,
  args: string[],
  options?: { quiet?: boolean; env?: Record<string, string | undefined> },
): Promise<string>;
