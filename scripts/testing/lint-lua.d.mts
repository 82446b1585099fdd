export function checkLua(): void;
export function lintLua(folder?: string): string[];
