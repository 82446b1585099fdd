// A module of its own, so that a page with native selects need not load React Aria.

export const fieldClass = 'grid min-w-0 gap-1';
export const labelClass = 'text-sm font-medium';
export const hintClass = 'text-xs text-pretty text-quiet';
export const errorClass = 'text-xs font-medium text-pretty text-missed';
