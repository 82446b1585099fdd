export const today = {};
