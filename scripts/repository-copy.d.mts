export function copyRenamed(use: string): string;
export function copyRepository(use: string): string;
export function copyOfThePast(use: string, commit: string): string;
