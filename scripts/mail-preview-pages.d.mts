export declare function drawAll(): Map<string, string>;
