export const needs: readonly string[];
export function buildClient(): Promise<{readonly folder: string; readonly install: string}>;
