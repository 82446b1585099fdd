export const calendar = {};
