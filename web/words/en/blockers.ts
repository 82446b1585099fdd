export const blockers = {};
