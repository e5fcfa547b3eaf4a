export function copyRenamed(use: string): string;
