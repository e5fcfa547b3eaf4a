export declare function ensureDevVars(): void;
export declare function readDevVars(): Record<string, string>;
