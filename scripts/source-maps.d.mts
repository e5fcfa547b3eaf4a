export declare function sourceMapProblems(env: Record<string, string | undefined>): string[];

export declare function uploadSourceMaps(folder: string, settings: Record<string, string | undefined>): Promise<void>;
